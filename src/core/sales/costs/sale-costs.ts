import type { Database } from 'better-sqlite3'
import { type Cents, subtractCents } from '../../../../server/api/money.ts'
import type { SaleRow } from '../../../contract/sales.ts'
import { batchCosts, batchOfSale, offerCosts } from '../../key-costs/key-costs.ts'
import { prepared } from '../../mirror/mirror.ts'
import type { SaleRecord } from '../store.ts'

export type SaleCost = Pick<SaleRow, 'costCents' | 'costSource'>
/** `batch`: the batch of the sold key, from `batchOfSale`. */
export type SoldFrom = { offerId: string | null; batch: string | null }

const unknown: SaleCost = { costCents: null, costSource: null }

/**
 * Reads the cost of sold keys: their batch's, otherwise their offer's as an estimate. Each batch and
 * offer is read once.
 */
export function readSoldCosts(
  db: Database,
  sold: readonly SoldFrom[],
): (one: SoldFrom) => SaleCost {
  const batches = batchCosts(db, new Set(sold.flatMap(({ batch }) => batch ?? [])))
  const offers = offerCosts(db, new Set(sold.flatMap(({ offerId }) => offerId ?? [])))
  return ({ offerId, batch }) => {
    const paid = batches.get(batch ?? '')
    if (paid !== undefined) return { costCents: paid, costSource: 'batch' }
    const estimate = offers.get(offerId ?? '')
    return estimate === undefined ? unknown : { costCents: estimate, costSource: 'offer' }
  }
}

/** Reads the costs of these sales; returns a lookup by sale id. */
export function saleCosts(
  db: Database,
  records: readonly SaleRecord[],
): (saleId: string) => SaleCost {
  const rows = prepared(
    db,
    `SELECT sale_id AS saleId, offer_id AS offerId, ${batchOfSale('sales')} AS batch FROM sales
      WHERE sale_id IN (SELECT value FROM json_each(:ids))`,
  ).all({ ids: JSON.stringify(records.map((record) => record.sale_id)) }) as (SoldFrom & {
    saleId: string
  })[]
  const costOf = readSoldCosts(db, rows)
  const costs = new Map(rows.map((row) => [row.saleId, costOf(row)]))
  return (saleId) => costs.get(saleId) ?? unknown
}

/** The seller's amount minus the cost; null if either is unknown and for a canceled sale. */
export const profitOf = (
  { status, price_cents: price }: Pick<SaleRecord, 'status' | 'price_cents'>,
  cost: Cents | null,
): Cents | null =>
  status === 'cancelled' || price === null || cost === null ? null : subtractCents(price, cost)
