import { parentPort } from 'node:worker_threads'
import SqliteDatabase from 'better-sqlite3'
import type { FromWorker, Settled, ToWorker, WorkerCalls } from './messages.ts'

/** One request that a worker is answering. */
export type Call<Progress> = {
  /** Aborts when the core cancels the request. */
  readonly signal: AbortSignal
  /** Reports progress. */
  progress(value: Progress): void
  /** Reports progress, and resolves when the core has handled it. */
  confirmed(value: Progress): Promise<void>
}

/**
 * Answers the core's requests in a worker thread. A thrown error becomes the answer of its request.
 * A synchronous answer is posted before the next message is read.
 */
export function serve<Calls extends WorkerCalls>(
  answer: (
    request: Calls['request'],
    call: Call<Calls['progress']>,
  ) => Calls['result'] | Promise<Calls['result']>,
): void {
  if (parentPort === null) throw new Error('serve was called outside of a worker')
  const port = parentPort
  const post = (message: FromWorker<Calls['result'], Calls['progress']>): void =>
    port.postMessage(message)
  const stops = new Map<number, AbortController>()
  const confirmations = new Map<number, () => void>()

  function begin(id: number): Call<Calls['progress']> {
    const stop = new AbortController()
    stops.set(id, stop)
    return {
      signal: stop.signal,
      progress: (progress) => post({ id, progress, confirm: false }),
      confirmed: (progress) =>
        new Promise((resolve) => {
          confirmations.set(id, resolve)
          post({ id, progress, confirm: true })
        }),
    }
  }
  function settle(message: Settled<Calls['result']>): void {
    stops.delete(message.id)
    confirmations.delete(message.id)
    post(message)
  }
  const fail = (id: number, error: unknown): void =>
    settle({ id, error: error instanceof Error ? error : new Error(String(error)) })

  // Its native part is loaded at the first use.
  new SqliteDatabase(':memory:').close()
  post({ loaded: true })
  port.on('message', (message: ToWorker<Calls['request']>) => {
    if ('cancel' in message) return stops.get(message.cancel)?.abort()
    if ('confirm' in message) return confirmations.get(message.confirm)?.()
    const { id, request } = message
    try {
      const result = answer(request, begin(id))
      if (result instanceof Promise)
        result.then(
          (value: Calls['result']) => settle({ id, result: value }),
          (error: unknown) => fail(id, error),
        )
      else settle({ id, result })
    } catch (error) {
      fail(id, error)
    }
  })
}
