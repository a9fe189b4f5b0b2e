import type { InferContractRouterOutputs } from '@orpc/contract'
import type { Database } from 'better-sqlite3'
import {
  addCents,
  type Cents,
  subtractCents,
  timesCents,
  ZERO,
} from '../../../../server/api/money.ts'
import type { Contract } from '../../../contract/index.ts'
import { batchOfSale } from '../../key-costs/key-costs.ts'
import { prepared } from '../../mirror/mirror.ts'
import { readSoldCosts } from './sale-costs.ts'
import type { SoldFrom } from './sale-costs.ts'

type Profit = InferContractRouterOutputs<Contract['sales']>['profit']
type Period = { from: number; to: number; offerId: string | null }
/** Sales with the same offer and batch. `priced`: those of them whose amount is known. */
type Group = SoldFrom & { cents: Cents; priced: number; sales: number }

/** Sales added up in one turn: the core handles other work between two turns. */
const SUMMED_AT_ONCE = 2000

/**
 * The profit of the sales in a period, without canceled ones. SQLite adds up sales of the same offer
 * and batch, so each cost is read once per turn.
 *
 * @param signal - Stops the sum: a screen that asks again no longer needs the previous one.
 * @param turn - Number of sales added up in one turn.
 */
export async function profitBetween(
  db: Database,
  { from, to, offerId }: Period,
  { signal, turn = SUMMED_AT_ONCE }: { signal?: AbortSignal | undefined; turn?: number } = {},
): Promise<Profit> {
  const chosen = `sold_at < :to${offerId === null ? '' : ' AND offer_id = :offerId'}`
  const values = { to, ...(offerId === null ? {} : { offerId }) }
  const next = prepared(
    db,
    `SELECT sold_at FROM sales WHERE sold_at > :from AND ${chosen} ORDER BY sold_at LIMIT 1 OFFSET :turn`,
  ).pluck()
  const groups = prepared(
    db,
    `SELECT offer_id AS offerId, ${batchOfSale('sales')} AS batch, coalesce(sum(price_cents), 0) AS cents,
      count(price_cents) AS priced, count(*) AS sales FROM sales
      WHERE sold_at >= :from AND ${chosen} AND status <> 'cancelled' GROUP BY 1, 2`,
  )
  let sum: Profit = { cents: ZERO, sales: 0, estimated: 0, unknown: 0 }
  for (let start = from; start < to;) {
    const end = (next.get({ ...values, from: start, turn }) as number | undefined) ?? to
    sum = addGroups(db, sum, groups.all({ ...values, from: start, to: end }) as Group[])
    start = end
    if (start >= to) break
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    signal?.throwIfAborted()
  }
  return sum
}

function addGroups(db: Database, before: Profit, groups: readonly Group[]): Profit {
  const costOf = readSoldCosts(db, groups)
  let { cents, sales, estimated, unknown } = before
  for (const group of groups) {
    const { costCents, costSource } = costOf(group)
    const counted = costCents === null ? 0 : group.priced
    unknown += group.sales - counted
    if (costCents === null) continue
    cents = addCents(cents, subtractCents(group.cents, timesCents(costCents, counted)))
    sales += counted
    if (costSource === 'offer') estimated += counted
  }
  return { cents, sales, estimated, unknown }
}
