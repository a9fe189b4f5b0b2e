import { workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { serve } from '../../workers/workers.ts'
import { createWriterTask } from './writer-task.ts'
import type { WriterCalls } from './writer-task.ts'

/** Writes the catalogues of all accounts. */
const { pages } = workerData as { pages: MessagePort }
serve<WriterCalls>(createWriterTask(pages))
