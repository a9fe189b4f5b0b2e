import { Worker } from 'node:worker_threads'
import type { Database } from 'better-sqlite3'
import { failure } from '../../failure.ts'
import { answerRequest } from './reader-task.ts'
import type {
  ReadResult,
  ReadRequest,
  ReaderAnswer,
  ReaderMessage,
  ReaderThreadData,
} from './reader-task.ts'

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

/** After this many failures, a worker isn't started again and the core answers the requests. */
const MOST_FAILURES = 3

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
      const asked = lanes[reading.what].ask(parts.path(accountId), reading, db, signal)
      return (await (reading.what === 'search' ? search(asked) : asked)) as never
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
  let asked: (Waiting & { id: number }) | null = null
  let worker: Worker | null = null
  let failures = 0
  let last = 0
  let held = false
  const wanted = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

  /** The core answers the request that was in flight when the thread exited. */
  function ended(thread: Worker, error: unknown): void {
    if (worker !== thread) return
    worker = null
    failures += 1
    report('catalogue reader', error)
    const lost = asked
    asked = null
    if (lost !== null) answerHere(lost)
    next()
  }
  function started(): Worker | null {
    if (worker !== null || failures >= MOST_FAILURES) return worker
    try {
      const thread = new Worker(workerPath(), {
        name: 'catalogue-reader',
        workerData: { wanted, isLowPriority: isBehind } satisfies ReaderThreadData,
      })
      thread.unref()
      thread.on('message', (answer: ReaderAnswer) => {
        if (asked?.id !== answer.id) return
        const was = asked
        asked = null
        if ('stopped' in answer) queue.unshift(was)
        else if ('error' in answer) was.reject(answer.error)
        else was.resolve(answer.read)
        next()
      })
      thread.on('error', (error) => ended(thread, error))
      thread.on('exit', (code) =>
        ended(thread, new Error(`The catalogue reader exited with status ${code}`)),
      )
      return (worker = thread)
    } catch {
      failures = MOST_FAILURES
      return null
    }
  }
  function answerHere({ here, resolve, reject }: Waiting): void {
    try {
      resolve(here())
    } catch (error) {
      reject(error)
    }
  }
  function next(): void {
    while (asked === null && !held) {
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
      const thread = started()
      if (thread === null) {
        answerHere(first)
        continue
      }
      asked = { ...first, id: (last += 1) }
      const { id, path, reading } = asked
      Atomics.store(wanted, 0, id)
      thread.postMessage(
        (reading === null
          ? { id, path, close: true }
          : { id, path, reading }) satisfies ReaderMessage,
      )
    }
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
          if (asked?.resolve === resolve) stop()
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
      if (worker !== null) await enter(path, null, () => null)
    },
    async close(): Promise<void> {
      const thread = worker
      worker = null
      failures = MOST_FAILURES
      await thread?.terminate()
      const lost = asked
      asked = null
      if (lost !== null) queue.unshift(lost)
      const closed = failure('CANCELLED', 'Keydesk is closing.', 'Start it again.')
      for (const { reading, resolve, reject } of queue.splice(0)) {
        if (reading === null) resolve(null)
        else reject(closed)
      }
    },
  }
}
