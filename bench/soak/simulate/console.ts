import { AsyncLocalStorage } from 'node:async_hooks'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createRouterClient } from '@orpc/server'
import type { RouterClient } from '@orpc/server'
import type { DemoKeys } from '../../../server/domain/access/demo-keys.ts'
import { createCore } from '../../../src/core/create-core.ts'
import type { Core } from '../../../src/core/create-core.ts'
import type { Randomness } from '../../../src/core/randomness.ts'
import { workerSource } from '../../../src/core/testing/workers.ts'
import type { Host, WorkerName } from '../../../src/platform/host.ts'
import type { Keychain } from '../../../src/platform/keychain/keychain.ts'
import type { EventLog } from './event-log.ts'
import type { SeededBytes } from './seeded-bytes.ts'
import { serviceAddress } from './service.ts'
import { createConsoleClock } from './virtual-time.ts'
import type { VirtualTime } from './virtual-time.ts'

export type Ask = RouterClient<Core['router']>

/** A running console. */
export type Session = {
  readonly ask: Ask
  /** Resolves when it was killed or has quit. */
  readonly ended: Promise<void>
  /** Does something with it: requests that it causes belong to this run. */
  use<T>(work: () => Promise<T>): Promise<T>
}

type Parts = {
  folder: string
  time: VirtualTime
  bytes: SeededBytes
  log: EventLog
  demo: () => DemoKeys
  /** The entries of the keychain before the first run. */
  secrets?: ReadonlyMap<string, string>
}

const keychainWith = (entries: Map<string, string>): Keychain => ({
  probe: async () => ({ available: true, name: 'a map', reason: null }),
  get: async (entry) => entries.get(entry) ?? null,
  set: async (entry, secret) => void entries.set(entry, secret),
  delete: async (entry) => void entries.delete(entry),
})

const randomnessOf = (bytes: SeededBytes): Randomness => ({
  id: () => bytes.uuid(),
  bytes: (length) => bytes.take(length),
  fraction: () => bytes.take(4).readUInt32BE() / 2 ** 32,
})

const paths = new Map<WorkerName, string>()
function workerPath(name: WorkerName): string {
  const path = paths.get(name) ?? workerSource(name)
  paths.set(name, path)
  return path
}

type Run = { number: number; core: Promise<Core>; end: () => void; ended: Promise<void> }

/** The run of the console in which code is executed, so that a killed one can send nothing more. */
const current = new AsyncLocalStorage<number>()

/** The console of a simulated day: one run after the other, on the same data. */
export function createSimulatedConsole({ folder, time, bytes, log, demo, secrets }: Parts) {
  const clock = createConsoleClock(time)
  let entries = new Map(secrets)
  let runs = 0
  let generation = 0
  let run: Run | null = null
  const dataDir = (): string => join(folder, `console-${generation}`)

  const host = (): Host => ({
    kind: 'browser',
    version: '0.0.0',
    dataDir: dataDir(),
    sandboxKeysDir: join(folder, 'keys'),
    keychain: keychainWith(entries),
    backends: {
      start: async () => ({
        ready: { ...serviceAddress, demo: demo() },
        stop: async () => {},
        ended: new Promise(() => {}),
      }),
    },
    workerPath,
  })

  return {
    clock,
    dataDir,
    secrets: (): ReadonlyMap<string, string> => entries,
    /** The number of the current run; null when there is none. */
    run: (): number | null => run?.number ?? null,
    /** The number of the run that executes this; null when it was killed. */
    executing: (): number | null => {
      const number = current.getStore()
      return number === undefined || number !== run?.number ? null : number
    },
    /** Null when it was killed while it started. */
    async start(): Promise<Session | null> {
      log.add('console starts')
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      const core = Promise.withResolvers<Core>()
      const mine: Run = { number: (runs += 1), core: core.promise, end, ended }
      run = mine
      void current.run(mine.number, () =>
        createCore(host(), { clock, random: randomnessOf(bytes) }).then(core.resolve, core.reject),
      )
      const { router } = await core.promise
      if (run !== mine) return null
      return {
        ask: createRouterClient(router, { context: {} }),
        ended,
        use: (work) => current.run(mine.number, work),
      }
    },
    /** Ends the console as a person does. */
    async quit(): Promise<void> {
      const ending = run
      log.add('console quits')
      if (ending !== null) await current.run(ending.number, async () => (await ending.core).close())
      if (run === ending) run = null
      ending?.end()
    },
    /**
     * Ends the console as SIGKILL does: the next run finds the files and secrets as they are now.
     * What this one still does, it does to files that no later run reads.
     */
    kill(): void {
      const killed = run
      if (killed === null) return
      run = null
      log.add('console killed')
      const abandoned = dataDir()
      generation += 1
      cpSync(abandoned, dataDir(), { recursive: true })
      entries = new Map(entries)
      killed.end()
      killed.core
        .then((core) => core.close())
        .catch(() => {})
        .finally(() => rmSync(abandoned, { recursive: true, force: true }))
    },
  }
}
export type SimulatedConsole = ReturnType<typeof createSimulatedConsole>
