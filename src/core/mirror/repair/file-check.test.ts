import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testWorker } from '../../testing/workers.ts'
import { overwritePage, writeProducts } from '../testing/damage.ts'
import { checkFiles } from './file-check.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'keydesk-file-check-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const file = (name: string): string => path.join(folder, name)

test('repairs only the damaged file of an account, and waits for idle time before each long read @long', async () => {
  writeProducts(file('intact.db'))
  for (const id of ['a', 'b'])
    for (const place of ['journal', 'mirror', 'catalogue'])
      copyFileSync(file('intact.db'), file(`${id}.${place}`))
  overwritePage(file('b.catalogue'), 20, 0x5a)
  const repaired: string[] = []
  const [steps, reports] = [{ rests: 0 }, [] as unknown[]]
  await checkFiles(
    {
      worker: () => testWorker('mirror-check'),
      accounts: () => ['a', 'b'],
      files: {
        journal: (id) => file(`${id}.journal`),
        mirror: (id) => file(`${id}.mirror`),
        catalogue: (id) => file(`${id}.catalogue`),
      },
      repair: async (id, place) => void repaired.push(`${id} ${place}`),
      whenIdle: async () => {
        steps.rests += 1
      },
      report: (_where, error) => void reports.push(error),
    },
    new AbortController().signal,
  )
  expect(reports).toEqual([])
  expect(repaired).toEqual(['b catalogue'])
  expect(steps.rests).toBeGreaterThan(3 * 5)
})

test('an account removed during its check leaves nothing open and nothing to report', async () => {
  writeProducts(file('a.db'))
  const [reports, accounts] = [[] as unknown[], ['a']]
  let rests = 0
  await checkFiles(
    {
      worker: () => testWorker('mirror-check'),
      accounts: () => accounts,
      files: {
        journal: () => file('none.db'),
        mirror: () => file('a.db'),
        catalogue: () => file('a.db'),
      },
      repair: async () => {},
      report: (where) => void reports.push(where),
      whenIdle: async () => {
        rests += 1
        if (rests !== 3) return
        const { ino } = statSync(file('a.db'))
        if (process.platform === 'linux')
          expect(
            readdirSync('/proc/self/fd').filter(
              (fd) => statSync(`/proc/self/fd/${fd}`, { throwIfNoEntry: false })?.ino === ino,
            ),
          ).toEqual([])
        rmSync(file('a.db'))
        accounts.pop()
      },
    },
    new AbortController().signal,
  )
  expect(rests).toBe(3)
  expect(reports).toEqual(['check of the journal'])
})

test('a canceled check stops, also while it waits', async () => {
  writeProducts(file('a.db'))
  const stop = new AbortController()
  const reports: unknown[] = []
  const check = checkFiles(
    {
      worker: () => testWorker('mirror-check'),
      accounts: () => ['a'],
      files: {
        journal: () => file('a.db'),
        mirror: () => file('a.db'),
        catalogue: () => file('a.db'),
      },
      repair: async () => {},
      whenIdle: () => new Promise(() => {}),
      report: (_where, error) => void reports.push(error),
    },
    stop.signal,
  )
  setTimeout(() => stop.abort(), 400)
  await check
  expect(reports).toEqual([])
})
