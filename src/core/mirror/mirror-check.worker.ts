import { parentPort, workerData } from 'node:worker_threads'
import { leaveProcessor } from '../thread-priority.ts'
import { damageIn } from './wholeness.ts'
import type { Looked } from './wholeness.ts'

leaveProcessor()
const looks = damageIn(workerData as string)

/**
 * Checks the next table of the database at the given path for each message, and exits after the
 * last one.
 */
parentPort?.on('message', () => {
  const { done = false, value } = looks.next()
  parentPort?.postMessage({ done, damage: value } satisfies Looked)
  if (done) parentPort?.close()
})
