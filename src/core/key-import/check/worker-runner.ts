import { Worker } from 'node:worker_threads'
import type { KeyCheckResult, KeyCheckTask } from './key-check-task.ts'
import { failure } from '../../failure.ts'

/** Heap limit of one task in megabytes. The sets for comparing keys are outside the heap. */
const MOST_HEAP_MB = 768

/**
 * Runs one task in a new worker. The task's key material is copied to the worker and ends with it.
 *
 * @param path the built worker, or its source where the runtime accepts TypeScript
 * @param tell called with the number of lines read so far
 * @returns rejects with Failure `CANCELLED` when `signal` aborts, and with
 * `ERR_WORKER_OUT_OF_MEMORY`
 *   when the task used too much memory
 */
export function runInWorker(
  path: string,
  task: KeyCheckTask,
  signal: AbortSignal,
  tell: (lines: number) => void,
): Promise<KeyCheckResult> {
  return new Promise((resolve, reject) => {
    const cancelled = (): Error =>
      failure('CANCELLED', 'The check was stopped.', 'Add the file again if you still need it.')
    if (signal.aborted) return reject(cancelled())
    const worker = new Worker(path, {
      workerData: task,
      name: 'key-check',
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
    })
    const stop = (): void => {
      void worker.terminate()
      reject(cancelled())
    }
    signal.addEventListener('abort', stop, { once: true })
    worker.on('message', (message: { lines: number } | { result: KeyCheckResult }) => {
      if ('lines' in message) tell(message.lines)
      else resolve(message.result)
    })
    worker.on('error', reject)
    worker.on('exit', (code) => {
      signal.removeEventListener('abort', stop)
      reject(new Error(`The key check exited early with status ${code}`))
    })
  })
}
