import { workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { serve } from '../../workers/workers.ts'
import { createPageFetcher } from './page-fetcher.ts'
import type { FetcherCalls } from './page-fetcher.ts'

/** Fetches and parses catalogue pages for the writer thread. */
const { writer } = workerData as { writer: MessagePort }
serve<FetcherCalls>(
  createPageFetcher((page) =>
    writer.postMessage(page, page.products.bytes === null ? [] : [page.products.bytes.buffer]),
  ),
)
