import { parentPort, workerData } from 'node:worker_threads'
import { leaveProcessor } from '../thread-priority.ts'
import { damageIn } from './wholeness.ts'

leaveProcessor()
/** What the worker tells: the first damage it finds in the database at the given path, or null. */
parentPort?.postMessage(damageIn(workerData as string))
