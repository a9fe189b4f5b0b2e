import { parentPort, workerData } from 'node:worker_threads'
import type { KeyCheckTask } from './key-check-task.ts'
import { prepareFiles } from '../parse/file-reading.ts'
import { runKeyCheck } from './key-check-task.ts'

/**
 * Posts the number of lines read so far, then the result. A defect ends the worker with an `error`
 * event.
 */
const task = workerData as KeyCheckTask
const prepared = await prepareFiles(task, () => performance.now())
const result = runKeyCheck(task, (lines) => parentPort?.postMessage({ lines }), prepared)
parentPort?.postMessage({ result })
