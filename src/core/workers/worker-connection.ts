import type { Worker } from 'node:worker_threads'
import type { FromWorker, ToWorker, WorkerCalls } from './messages.ts'

export type AskOptions<Progress> = {
  /** Cancels the request in the worker, which still answers it. */
  signal?: AbortSignal | undefined
  progress?: ((value: Progress) => void) | undefined
}

/** Requests to one worker thread. */
export interface WorkerConnection<Calls extends WorkerCalls> {
  /** Rejects with the worker's error, or with the reason of its end. */
  ask(request: Calls['request'], options?: AskOptions<Calls['progress']>): Promise<Calls['result']>
  /**
   * Rejects open requests with `reason`, and terminates the worker once it has loaded: a thread
   * that ends while it loads better-sqlite3 aborts the whole process.
   */
  end(reason: Error): Promise<void>
}

type Open<Calls extends WorkerCalls> = {
  resolve: (result: Calls['result']) => void
  reject: (error: Error) => void
  progress: ((value: Calls['progress']) => void) | undefined
}

/**
 * Connects a started worker.
 *
 * @param onExit called once if the worker fails or exits unexpectedly. Open requests are then rejected
 *   with the same error, unless `onExit` ends the connection with another reason.
 */
export function connectWorker<Calls extends WorkerCalls>(
  worker: Worker,
  onExit: (error: Error) => void = () => {},
): WorkerConnection<Calls> {
  const open = new Map<number, Open<Calls>>()
  const loadedOrExited = Promise.withResolvers<void>()
  let lastId = 0
  let ended: Error | null = null
  const post = (message: ToWorker<Calls['request']>): void => worker.postMessage(message)

  function endWith(reason: Error): void {
    ended = reason
    const rejected = [...open.values()]
    open.clear()
    for (const { reject } of rejected) reject(reason)
  }
  function exited(error: Error): void {
    if (ended !== null) return
    onExit(error)
    endWith(error)
  }
  worker.on('message', (message: FromWorker<Calls['result'], Calls['progress']>) => {
    if ('loaded' in message) return loadedOrExited.resolve()
    const { id } = message
    const asked = open.get(id)
    if ('progress' in message) {
      asked?.progress?.(message.progress)
      // What the listener starts now is sent in this turn of the event loop.
      if (message.confirm) setImmediate(() => post({ confirm: id }))
      return
    }
    open.delete(id)
    if ('error' in message) asked?.reject(message.error)
    else asked?.resolve(message.result)
  })
  worker.on('error', (error) => exited(error instanceof Error ? error : new Error(String(error))))
  worker.on('exit', (code) => {
    loadedOrExited.resolve()
    exited(new Error(`The worker exited early with status ${code}.`))
  })

  return {
    ask(request, { signal, progress } = {}) {
      if (ended !== null) return Promise.reject(ended)
      const id = (lastId += 1)
      const cancel = (): void => post({ cancel: id })
      return new Promise<Calls['result']>((resolve, reject) => {
        open.set(id, { resolve, reject, progress })
        post({ id, request })
        if (signal?.aborted === true) cancel()
        else signal?.addEventListener('abort', cancel, { once: true })
      }).finally(() => signal?.removeEventListener('abort', cancel))
    },
    async end(reason) {
      if (ended === null) endWith(reason)
      worker.ref()
      await loadedOrExited.promise
      await worker.terminate()
    },
  }
}

/**
 * Starts a worker for one piece of work and terminates it afterwards. Rejects with `canceled` when
 * `signal` aborts.
 */
export async function withWorker<Calls extends WorkerCalls, Result>(
  start: () => Worker,
  { signal, canceled }: { signal: AbortSignal; canceled: () => Error },
  work: (ask: WorkerConnection<Calls>['ask']) => Promise<Result>,
): Promise<Result> {
  if (signal.aborted) throw canceled()
  const connection = connectWorker<Calls>(start())
  const aborted = Promise.withResolvers<never>()
  const stop = (): void => aborted.reject(canceled())
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work(connection.ask), aborted.promise])
  } finally {
    signal.removeEventListener('abort', stop)
    await connection.end(new Error('The work of this worker has ended.'))
  }
}
