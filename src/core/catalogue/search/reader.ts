import { Worker } from 'node:worker_threads'
import type { Database } from 'better-sqlite3'
import { failure } from '../../failure.ts'
import { createWorkers, WorkerExited } from '../../workers/workers.ts'
import type { WorkerTeam } from '../../workers/workers.ts'
import { answerRequest } from './reader-task.ts'
import type { ReadResult, ReadRequest, ReaderCalls, ReaderThreadData } from './reader-task.ts'

type Parts = {
  /** Path of the built worker. Throws if there is none. */
  worker: () => string
  /** The open mirror of an account, and its file. */
  database: (accountId: string) => Database
  path: (accountId: string) => string
  report: (where: string, error: unknown) => void
}

export interface CatalogueReader {
  /**
   * Searches or counts in a separate thread, one request of a kind at a time. Rejects with Failure
   * `CANCELLED` if `signal` aborts before its turn, so only the last search of a typing user runs.
   * Counts in flight stop when `signal` aborts. A search takes precedence: counts wait for it, and
   * counts in flight restart after it.
   */
  read<What extends ReadRequest['what']>(
    accountId: string,
    reading: Extract<ReadRequest, { what: What }>,
    signal?: AbortSignal,
  ): Promise<ReadResult<What>>
  /** Closes an account's file before it is closed, replaced or removed elsewhere. */
  release(accountId: string): Promise<void>
  close(): Promise<void>
}

/**
 * Counts take longer than a search and must not block it. Each kind has a thread, and during a
 * search the counting thread leaves the processor to it and to the window.
 */
export function createCatalogueReader(parts: Parts): CatalogueReader {
  const lanes = { search: createLane(parts, false), counts: createLane(parts, true) }
  let searches = 0

  async function search(asked: Promise<unknown>): Promise<unknown> {
    searches += 1
    lanes.counts.hold()
    try {
      return await asked
    } finally {
      searches -= 1
      if (searches === 0) lanes.counts.goOn()
    }
  }
  return {
    async read(accountId, reading, signal) {
      // The core has opened, repaired and migrated it, so the reader finds an intact file.
      const db = parts.database(accountId)
      const lane = reading.what === 'counts' ? lanes.counts : lanes.search
      const asked = lane.ask(parts.path(accountId), reading, db, signal)
      return (await (reading.what === 'counts' ? asked : search(asked))) as never
    },
    async release(accountId) {
      await Promise.all([
        lanes.search.letGo(parts.path(accountId)),
        lanes.counts.letGo(parts.path(accountId)),
      ])
    },
    async close() {
      await Promise.all([lanes.search.close(), lanes.counts.close()])
    },
  }
}

type Waiting = {
  path: string
  reading: ReadRequest | null
  here: () => unknown
  signal: AbortSignal | undefined
  resolve: (read: unknown) => void
  reject: (error: unknown) => void
}

function createLane(
  { worker: workerPath, report }: Pick<Parts, 'worker' | 'report'>,
  isBehind: boolean,
) {
  const queue: Waiting[] = []
  let inFlight: Waiting | null = null
  let last = 0
  let held = false
  let closed = false
  const wanted = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const workers = createWorkers<{ reader: ReaderCalls }>(
    () => {
      const reader = new Worker(workerPath(), {
        name: 'catalogue-reader',
        workerData: { wanted, isLowPriority: isBehind } satisfies ReaderThreadData,
      })
      reader.unref()
      return { reader }
    },
    (error) => report('catalogue reader', error),
  )

  function answerHere({ here, resolve, reject }: Waiting): void {
    try {
      resolve(here())
    } catch (error) {
      reject(error)
    }
  }
  function next(): void {
    while (inFlight === null && !held) {
      const first = queue.shift()
      if (first === undefined) return
      if (first.signal?.aborted === true) {
        first.reject(
          failure(
            'CANCELLED',
            'A newer search replaced this one.',
            'Wait for the newer search to finish.',
          ),
        )
        continue
      }
      const team = workers.team()
      if (team === null) answerHere(first)
      else void answerThere(team, first)
    }
  }
  async function answerThere(
    team: WorkerTeam<{ reader: ReaderCalls }>,
    asked: Waiting,
  ): Promise<void> {
    inFlight = asked
    const { path, reading, resolve, reject } = asked
    const number = (last += 1)
    Atomics.store(wanted, 0, number)
    try {
      const result = await team.ask(
        'reader',
        reading === null ? { path, close: true } : { path, number, reading },
      )
      if ('stopped' in result) queue.unshift(asked)
      else resolve(result.read)
    } catch (error) {
      if (closed && reading === null) resolve(null)
      // The core answers the request that was in flight when the thread exited.
      else if (error instanceof WorkerExited) answerHere(asked)
      else reject(error)
    }
    inFlight = null
    next()
  }
  const enter = (
    path: string,
    reading: ReadRequest | null,
    here: () => unknown,
    signal?: AbortSignal,
  ): Promise<unknown> =>
    new Promise((resolve, reject) => {
      queue.push({ path, reading, here, signal, resolve, reject })
      signal?.addEventListener(
        'abort',
        () => {
          if (inFlight?.resolve === resolve) stop()
        },
        { once: true },
      )
      next()
    })
  /** Marks the request in flight as no longer needed, or not needed now. */
  const stop = (): void => void Atomics.store(wanted, 0, 0)

  return {
    ask: (
      path: string,
      reading: ReadRequest,
      db: Database,
      signal?: AbortSignal,
    ): Promise<unknown> => enter(path, reading, () => answerRequest(db, reading), signal),
    /**
     * Starts nothing until {@link goOn}. Requests in flight that can be interrupted restart then.
     */
    hold(): void {
      held = true
      stop()
    },
    goOn(): void {
      held = false
      next()
    },
    async letGo(path: string): Promise<void> {
      if (workers.running() !== null) await enter(path, null, () => null)
    },
    async close(): Promise<void> {
      closed = true
      const reason = failure('CANCELLED', 'Keydesk is closing.', 'Start it again.')
      for (const { reading, resolve, reject } of queue.splice(0)) {
        if (reading === null) resolve(null)
        else reject(reason)
      }
      await workers.end(reason)
    },
  }
}
