import { Worker } from 'node:worker_threads'
import type { KeyCheckResult, KeyCheckTask } from './key-check-task.ts'
import { failure } from '../../failure.ts'
import { withWorker } from '../../workers/workers.ts'

/** Heap limit of one task in megabytes. The sets for comparing keys are outside the heap. */
const MOST_HEAP_MB = 768

/** The key check's messages. Progress: the number of lines read so far. */
export type KeyCheckCalls = { request: KeyCheckTask; result: KeyCheckResult; progress: number }

/**
 * Runs one task in a new worker. The task's key material is copied to the worker and ends with it.
 *
 * @param path the built worker, or its source where the runtime accepts TypeScript
 * @param progress called with the number of lines read so far
 * @returns rejects with Failure `CANCELLED` when `signal` aborts, and with
 * `ERR_WORKER_OUT_OF_MEMORY`
 *   when the task used too much memory
 */
export const runInWorker = (
  path: string,
  task: KeyCheckTask,
  signal: AbortSignal,
  progress: (lines: number) => void,
): Promise<KeyCheckResult> =>
  withWorker<KeyCheckCalls, KeyCheckResult>(
    () =>
      new Worker(path, {
        name: 'key-check',
        resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
      }),
    {
      signal,
      canceled: () =>
        failure('CANCELLED', 'The check was stopped.', 'Add the file again if you still need it.'),
    },
    (ask) => ask(task, { progress }),
  )
