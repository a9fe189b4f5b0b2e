import { beforeEach, expect, test } from 'vitest'
import type { Account } from '../../contract/app/accounts.ts'
import type { Job } from '../../contract/app/app.ts'
import type { LockReason } from '../../contract/app/vault.ts'
import type { Host } from '../../platform/host.ts'
import { createPowerSource } from '../../platform/power.ts'
import { systemRandomness } from '../randomness.ts'
import { manualClock } from '../testing/manual-clock.ts'
import type { VaultContext } from './context.ts'
import type { SealedValues } from './values/sealed-value-store.ts'
import type { VaultFeature } from './vault.ts'
import { createVaultService } from './vault-service.ts'

const MINUTE_MS = 60_000

/** The service over a vault that only records its locks. */
function start() {
  const clock = manualClock()
  const power = createPowerSource()
  const noted: string[] = []
  const jobs: Job[] = []
  const clipboard: string[] = []
  const listeners: Record<'lock' | 'open', (() => void)[]> = { lock: [], open: [] }
  let state = 'open'
  const run = (when: keyof typeof listeners): void => listeners[when].forEach((task) => task())
  const vault = {
    state: () => ({ state }),
    entry: () => 'vault',
    lock(by: LockReason) {
      noted.push(`locked by ${by}`)
      state = 'locked'
      run('lock')
    },
    onLock: (task: () => void) => listeners.lock.push(task),
    onOpen: (task: () => void) => listeners.open.push(task),
    assertUnlocked: () => {},
    open: (_accountId: string, _recordId: string, sealed: Buffer) => sealed,
  } as unknown as VaultFeature
  const service = createVaultService({
    context: {
      clock,
      random: systemRandomness,
      vault,
      settings: { get: () => ({ lockMinutes: 15 }) },
      jobs: { list: () => jobs },
      activity: { add: () => {} },
      changes: { notify: (topic: string) => void noted.push(`changed ${topic}`) },
      report: () => {},
    } as unknown as VaultContext,
    host: {
      power,
      clipboard: {
        write: async (text: string) => void clipboard.push(text),
        clearIf: async (text: string) => void clipboard.splice(clipboard.indexOf(text), 1),
      },
    } as unknown as Host,
    vault,
    stock: {
      removeCopies: () => void noted.push('removed copies'),
      exported: (accountId: string) => [
        {
          kind: 'delivered-key',
          recordId: 'r',
          sealed: Buffer.from(`KEY of ${accountId}`),
          facts: {},
        },
      ],
    } as unknown as SealedValues,
    accounts: () => [{ id: 'one', name: 'One', mode: 'live' } as Account],
    cost: { N: 2 ** 10, r: 8, p: 1 },
  })
  return { service, clock, power, jobs, noted, clipboard, opened: () => run('open') }
}

let started: ReturnType<typeof start>
beforeEach(() => {
  started = start()
  started.service.start()
})

test('locks the vault after the minutes of the settings, counted from its opening or last use', () => {
  const { service, clock, noted, opened } = started
  clock.advance(14 * MINUTE_MS)
  opened()
  clock.advance(14 * MINUTE_MS)
  service.reportUse()
  clock.advance(15 * MINUTE_MS - 1)
  expect(noted).toEqual([])
  clock.advance(1)
  expect(noted).toEqual(['locked by time'])
  clock.advance(60 * MINUTE_MS)
  expect(noted).toHaveLength(1)
})

test('doesn’t lock by time while keys are imported', () => {
  const { clock, jobs, noted } = started
  jobs.push({ kind: 'key-import', state: 'running' } as Job)
  clock.advance(60 * MINUTE_MS)
  expect(noted).toEqual([])
})

test('locks when the computer sleeps, until it ends', async () => {
  const { service, power, noted } = started
  power.report('sleep')
  expect(noted).toEqual(['locked by sleep'])
  const other = start()
  other.service.start()
  await other.service.end()
  other.power.report('sleep')
  other.clock.advance(60 * MINUTE_MS)
  expect(other.noted).toEqual([])
  await service.end()
})

test('closes the opened export and clears a copied secret when the vault locks', async () => {
  const { service, power, clipboard } = started
  const { base64 } = await service.exports.sealed('a passphrase')
  const { exportId } = await service.exports.open(Buffer.from(base64, 'base64'), 'a passphrase')
  await service.clipboard.copy('a secret')
  expect(service.exports.reveal(exportId, 0)).toEqual({ value: 'KEY of one' })
  expect(clipboard).toEqual(['a secret'])
  power.report('screen')
  expect(() => service.exports.reveal(exportId, 0)).toThrow('This export is closed.')
  expect(clipboard).toEqual([])
})

test('clears a copied secret when it ends', async () => {
  const { service, clipboard } = started
  await service.clipboard.copy('a secret')
  await service.end()
  expect(clipboard).toEqual([])
})

test('shows that copies of files were removed', () => {
  started.service.removeCopies()
  expect(started.noted).toEqual(['removed copies', 'changed vault'])
})
