import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { hkdfSync } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/context.ts'

/** The tests know the data key from this number; the vault's process computes it the same way. */
const seed = 77
const dataKey = (): Buffer =>
  Buffer.from(Array.from({ length: 32 }, (_, index) => (seed * (index + 3) * 31) % 251))
const derived = (purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', dataKey(), Buffer.alloc(0), `keydesk ${purpose} v1`, 32))

const partBytes = 8 * 1024 * 1024

const at = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href)
/** A process with a vault: opens, uses and locks it on command, and answers each command. */
const program = (path: string): string => `
  const { createVault, vaultSchema } = await import(${at('../vault.ts')})
  const { openDatabase } = await import(${at('../../mirror/database/open-database.ts')})
  const { createChanges } = await import(${at('../../changes.ts')})
  const { systemClock } = await import(${at('../../clock.ts')})
  const { systemRandomness } = await import(${at('../../randomness.ts')})
  let first = true
  const bytes = (length) => {
    if (!first || length !== 32) return systemRandomness.bytes(length)
    first = false
    const key = systemRandomness.bytes(32)
    for (let index = 0; index < 32; index++) key[index] = (${seed} * (index + 3) * 31) % 251
    return key
  }
  const vault = createVault({
    database: openDatabase(${JSON.stringify(path)}, [vaultSchema]),
    keychain: { probe: async () => ({ available: false, reason: 'none' }) },
    clock: systemClock,
    random: { ...systemRandomness, bytes },
    changes: createChanges(),
    activity: { add() {} },
    notices: { notify() {} },
    values: { count: () => 0, accounts: () => [], removeCopies() {} },
    cost: { N: 1024, r: 8, p: 1 },
    report() {},
  })
  const steps = {
    choose: () => vault.choosePassphrase('correct horse battery staple'),
    unlock: () => vault.unlock('correct horse battery staple'),
    use: () => vault.open('a', 'r', vault.seal('a', 'r', Buffer.from('value'))) && vault.fingerprint(Buffer.alloc(32)),
    lock: () => vault.lock(),
  }
  process.stdin.setEncoding('utf8').on('data', async (step) => {
    await steps[step.trim()]()
    // Native copies of a key are released after their objects were collected.
    for (let round = 0; round < 3; round++) {
      globalThis.gc()
      await new Promise((done) => setImmediate(done))
    }
    process.stdout.write('done')
  })
  process.stdout.write('ready')`

let child: ChildProcess | undefined
const folder = temporaryFolder()
afterEach(() => {
  child?.kill('SIGKILL')
  folder.remove()
})

/** How often a process has each of these values anywhere in its memory. */
function occurrences<Name extends string>(
  pid: number,
  wanted: Record<Name, Buffer>,
): Record<Name, number> {
  const found = Object.fromEntries(Object.keys(wanted).map((name) => [name, 0]))
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  const part = Buffer.alloc(partBytes + 32)
  for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
    const [, from = '', to = ''] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? []
    const end = Number.parseInt(to, 16)
    for (let start = Number.parseInt(from, 16); start < end; start += partBytes) {
      const length = readPart(memory, part, start, Math.min(part.length, end - start))
      const bytes = part.subarray(0, length)
      for (const [name, value] of Object.entries<Buffer>(wanted))
        for (let at = bytes.indexOf(value); at >= 0; at = bytes.indexOf(value, at + 1))
          if (at < partBytes) found[name] = (found[name] ?? 0) + 1
    }
  }
  closeSync(memory)
  return found as Record<Name, number>
}

/** Not every part of the map can be read, such as the kernel's. */
function readPart(memory: number, into: Buffer, start: number, length: number): number {
  try {
    return readSync(memory, into, 0, length, start)
  } catch {
    return 0
  }
}

test.skipIf(process.platform !== 'linux')(
  'leaves none of its keys in the memory of the process when it is locked @long',
  async () => {
    const started = spawn(
      process.execPath,
      ['--expose-gc', '--input-type=module', '-e', program(join(folder.path, 'vault.db'))],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    )
    child = started
    await once(started.stdout, 'data')
    const tell = async (step: string): Promise<void> => {
      started.stdin.write(step)
      await once(started.stdout, 'data')
    }
    const keys = { data: dataKey(), seal: derived('seal'), fingerprint: derived('fingerprint') }
    const left = () => occurrences(started.pid ?? 0, keys)
    await tell('choose')
    await tell('use')
    expect(left()).toEqual({ data: 0, seal: 1, fingerprint: 1 })
    await tell('lock')
    expect(left()).toEqual({ data: 0, seal: 0, fingerprint: 0 })
    await tell('unlock')
    await tell('use')
    await tell('lock')
    expect(left()).toEqual({ data: 0, seal: 0, fingerprint: 0 })
  },
)
