import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Batches } from './batches.ts'

/** Implements the contract of the table of costs. */
export function createCostsRouter(batches: Batches) {
  const os = implement(contract.costs)
  return os.router({
    read: os.read.handler(({ input }) => batches.readCosts(input)),
    save: os.save.handler(({ input }) => batches.saveCosts(input)),
  })
}

/** Implements the batches contract. */
export function createBatchesRouter(batches: Batches) {
  const os = implement(contract.batches)
  return os.router({
    list: os.list.handler(({ input }) => batches.list(input)),
    batch: os.batch.handler(({ input }) => batches.batch(input)),
    change: os.change.handler(({ input }) => batches.change(input)),
  })
}
