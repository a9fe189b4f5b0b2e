import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import { plainEuros } from '../../../../server/api/money.ts'
import type { Problem } from '../../../contract/base.ts'
import { csvText, exact } from '../../../contract/csv.ts'
import type { Contract } from '../../../contract/index.ts'
import type { BulkLine } from '../../../contract/order-records.ts'
import type { OrderableProducts } from '../place/orderable-products.ts'
import type { BulkStore, StoredBulkLine } from './bulk-store.ts'
import type { Bulks } from './bulk.ts'

type Inputs = InferContractRouterInputs<Contract['orders']>
type Outputs = InferContractRouterOutputs<Contract['orders']>

type Dependencies = {
  bulks: Bulks
  storeOf: (accountId: string) => BulkStore
  products: OrderableProducts
}

/** More lines than a bulk order can have. */
const every = { offset: 0, limit: 1_000_000 }

const outcomes: Record<BulkLine['state'], string> = {
  waiting: 'Waiting',
  sending: 'Sending',
  unknown: 'Unknown',
  placed: 'Placed',
  refused: 'Rejected',
  left: 'Not sent',
}
const fields = [
  'Reference',
  'Line',
  'Product id',
  'Product',
  'Platform',
  'Region',
  'Delivery',
  'Units',
  'Maximum price EUR',
  'Charged price EUR',
  'Outcome',
  'Order id',
  'Reason',
  'Next step',
]

/** The results of bulk orders: on screen, as a file, and as the table of the next try. */
export function createBulkResults({ bulks, storeOf, products }: Dependencies) {
  function named(accountId: string, lines: readonly StoredBulkLine[]): BulkLine[] {
    const ids = [...new Set(lines.map(({ productId }) => productId))]
    const found = new Map(products(accountId, ids).map((product, at) => [ids[at], product]))
    return lines.map(({ problem, ...line }) => {
      const product = found.get(line.productId)
      return {
        ...line,
        reason: reasonOf(line, problem),
        platform: product?.platform ?? '',
        region: product?.region ?? '',
        deliveryType: product?.deliveryType ?? '',
      }
    })
  }

  return {
    bulkResults({
      accountId,
      bulkId,
      view,
      window,
    }: Inputs['bulkResults']): Outputs['bulkResults'] {
      const bulk = bulks.summary(accountId, bulkId)
      const store = storeOf(accountId)
      const counts = store.lineCounts(bulkId)
      const failedOnly = view === 'failed'
      const lines = store.lines(bulkId, failedOnly, {
        offset: window?.offset ?? 0,
        limit: window?.limit ?? 100,
      })
      return {
        bulk,
        ...counts,
        total: failedOnly ? counts.failed : counts.all,
        rows: named(accountId, lines),
      }
    },
    exportBulk({ accountId, bulkId }: Inputs['exportBulk']): Outputs['exportBulk'] {
      const { name } = bulks.summary(accountId, bulkId)
      const data = named(accountId, storeOf(accountId).lines(bulkId, false, every)).map(toCells)
      return {
        fileName: `results-of-${name.replace(/\.[a-z]{2,4}$/i, '').replace(/[^\w.]+/g, '-')}.csv`,
        base64: Buffer.from(csvText([fields, ...data])).toString('base64'),
      }
    },
    bulkRetry({ accountId, bulkId }: Inputs['bulkRetry']): Outputs['bulkRetry'] {
      const { name } = bulks.summary(accountId, bulkId)
      const failed = storeOf(accountId).lines(bulkId, true, every)
      return {
        name,
        // The table is read again, so its ids stay as they are.
        text: csvText([
          ['reference', 'product id', 'units', 'max'],
          ...failed.map(({ externalId, productId, qty }) => [
            exact(externalId),
            exact(productId),
            qty,
            '',
          ]),
        ]),
        previous: failed.map(({ externalId, productId, maxUnitCents }) => ({
          externalId,
          productId,
          maxUnitCents,
        })),
      }
    },
  }
}

/** Why a line was not placed, and what to do. An order is rejected as one, for one of its lines. */
function reasonOf(
  { line, productId, state }: Pick<BulkLine, 'line' | 'productId' | 'state'>,
  problem: Problem | null,
): BulkLine['reason'] {
  if (state === 'left')
    return { what: 'You cancelled it before it was sent.', next: 'Order it again.' }
  if (problem === null) return null
  const { productId: named, line: number } = problem.details ?? {}
  const isNamed = typeof number === 'number' ? number === line : named === productId
  return named === undefined || isNamed
    ? { what: problem.what, next: problem.next }
    : {
        what: 'Another line of this order was rejected.',
        next: 'Order it again together with the rejected line.',
      }
}

function toCells(line: BulkLine): string[] {
  return [
    line.externalId,
    String(line.line),
    line.productId,
    line.name,
    line.platform,
    line.region,
    line.deliveryType,
    String(line.qty),
    plainEuros(line.maxUnitCents),
    line.unitCents === null ? '' : plainEuros(line.unitCents),
    outcomes[line.state],
    line.orderId ?? '',
    line.reason?.what ?? '',
    line.reason?.next ?? '',
  ]
}
