import { parentPort, workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { createWriterTask } from './writer-task.ts'
import type { WriterMessage } from './writer-task.ts'

/** Writes the catalogues of all accounts. */
const { pages } = workerData as { pages: MessagePort }
const writer = createWriterTask(pages, (answer) => parentPort?.postMessage(answer))
parentPort?.on('message', (message: WriterMessage) => writer.hear(message))
