import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import { failure } from '../../failure.ts'
import { resultsCsv } from './results-csv.ts'
import { viewBulk } from './runner.ts'
import type { BulkStore, StoredBulk } from './store.ts'

type Inputs = InferContractRouterInputs<Contract['offers']['bulk']>
type Outputs = InferContractRouterOutputs<Contract['offers']['bulk']>

/** A stored bulk change. Throws Failure `NOT_FOUND`. */
export function findBulk(store: BulkStore, bulkId: string): { store: BulkStore; bulk: StoredBulk } {
  const bulk = store.find(bulkId)
  if (bulk === undefined)
    throw failure(
      'NOT_FOUND',
      'Change not found on this computer.',
      'Check the list of bulk changes.',
      {
        effect: 'No offer was changed.',
      },
    )
  return { store, bulk }
}

/** The bulk changes of an account and the result of each line. */
export function createBulkResults({ storeOf }: { storeOf: (accountId: string) => BulkStore }) {
  return {
    list({ accountId }: Inputs['list']): Outputs['list'] {
      const store = storeOf(accountId)
      return store.all().map((bulk) => viewBulk(store, bulk))
    },
    results({ accountId, bulkId, state = null, window }: Inputs['results']): Outputs['results'] {
      const { store, bulk } = findBulk(storeOf(accountId), bulkId)
      const view = viewBulk(store, bulk)
      const total =
        state === null
          ? Object.values(view.counts).reduce((sum, count) => sum + count, 0)
          : view.counts[state]
      return {
        bulk: view,
        total,
        rows: store.results(bulk.number, state, window?.offset ?? 0, window?.limit ?? 100),
      }
    },
    async export({ accountId, bulkId }: Inputs['export']): Promise<Outputs['export']> {
      const { store, bulk } = findBulk(storeOf(accountId), bulkId)
      const day = new Date(bulk.startedAt).toISOString().slice(0, 10)
      // Lines that are settled during the export move in the order of the results.
      const lines = store.linesByResult(bulk.number)
      const text = await resultsCsv(lines, (some) => store.resultsOf(bulk.number, some))
      return {
        fileName: `results-${bulk.kind}-${day}.csv`,
        text,
        rows: lines.length,
      }
    },
  }
}
