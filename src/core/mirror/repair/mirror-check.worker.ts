import { parentPort, workerData } from 'node:worker_threads'
import { lowerThreadPriority } from '../../thread-priority.ts'
import { findDamage } from './file-check.ts'
import type { CheckMessage } from './file-check.ts'

lowerThreadPriority()
const check = findDamage(workerData as string)

/**
 * Checks the next table of the database at the given path for each message, and exits after the
 * last one.
 */
parentPort?.on('message', () => {
  const { done = false, value } = check.next()
  parentPort?.postMessage({ done, damage: value } satisfies CheckMessage)
  if (done) parentPort?.close()
})
