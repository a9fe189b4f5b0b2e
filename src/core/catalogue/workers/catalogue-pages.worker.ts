import { parentPort, workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { createPageFetcher } from './page-fetcher.ts'
import type { FetcherMessage } from './page-fetcher.ts'

/** Fetches and parses catalogue pages for the writer thread. */
const { writer } = workerData as { writer: MessagePort }
const carrier = createPageFetcher({
  answer: (answer) => parentPort?.postMessage(answer),
  handOver: (page) =>
    writer.postMessage(page, page.products.bytes === null ? [] : [page.products.bytes.buffer]),
})
parentPort?.on('message', (message: FetcherMessage) => carrier.hear(message))
