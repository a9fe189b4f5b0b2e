import { Worker } from 'node:worker_threads'
import type { KeyCheckResult, KeyCheckTask } from './key-check-task.ts'
import { failure } from '../failure.ts'

/**
 * Megabytes that one task may take of the worker's heap; what it compares keys by lies beside it.
 */
const MOST_HEAP_MB = 768

/**
 * Runs one task in a worker of its own. The task's key material is copied to the worker and dies
 * with it.
 *
 * @param path the built worker, or its source where the runtime takes TypeScript
 * @param tell lines read so far
 * @returns rejects with Failure `CANCELLED` when `signal` aborts, with `ERR_WORKER_OUT_OF_MEMORY`
 *   when it took too much memory
 */
export function runInWorker(
  path: string,
  task: KeyCheckTask,
  signal: AbortSignal,
  tell: (lines: number) => void,
): Promise<KeyCheckResult> {
  return new Promise((resolve, reject) => {
    const cancelled = (): Error =>
      failure('CANCELLED', 'The check was stopped.', 'Add the file again when you want.')
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
      reject(new Error(`The key check ended early with status ${code}`))
    })
  })
}
