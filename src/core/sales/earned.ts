import type { InferContractRouterOutputs } from '@orpc/contract'
import type { Database } from 'better-sqlite3'
import type { Contract } from '../../contract/index.ts'
import { standing } from './list.ts'

type Outputs = InferContractRouterOutputs<Contract['sales']>
type Sum = { cents: number; sales: number }

const sumOf = (where: string, name: string): string => `coalesce(sum(price_cents) FILTER (WHERE ${where}), 0) AS ${name}`
const BY_STANDING = [sumOf(standing.released, 'releasedCents'), sumOf(standing.pending, 'pendingCents'), sumOf(standing.held, 'heldCents'), sumOf(standing.cancelled, 'refundedCents')].join(', ')
const TOTALS = `${sumOf("status <> 'cancelled'", 'earnedCents')}, count(*) FILTER (WHERE status <> 'cancelled') AS earnedSales, ${sumOf(standing.cancelled, 'refundedCents')}, count(*) FILTER (WHERE status = 'cancelled') AS refundedSales`

const productSums = (where: string): string => `
  SELECT product_id AS productId, min(name) AS name, coalesce(sum(price_cents), 0) AS cents, count(*) AS sales FROM sales WHERE ${where}
  GROUP BY coalesce(product_id, name) ORDER BY cents DESC, name LIMIT :products`

/** What the seller earned between the edges, bar by bar. Amounts in cents; a sale whose price or time isn't told counts for nothing. */
export function earnedBetween(db: Database, { edges, offerId, products }: { edges: readonly number[]; offerId: string | null; products: number }): Outputs['earned'] {
  const fits = `sold_at >= :from AND sold_at < :to${offerId === null ? '' : ' AND offer_id = :offerId'}`
  const own = offerId === null ? {} : { offerId }
  const bar = db.prepare<Record<string, unknown>, Omit<Outputs['earned']['bars'][number], 'from'>>(`SELECT ${BY_STANDING}, count(*) AS sales FROM sales WHERE ${fits}`)
  const bars = edges.slice(0, -1).flatMap((from, at) => {
    const sums = bar.get({ from, to: edges[at + 1] ?? from, ...own })
    return sums === undefined ? [] : [{ from, ...sums }]
  })
  const whole = { from: edges[0] ?? 0, to: edges.at(-1) ?? 0, ...own }
  const totals = db.prepare<Record<string, unknown>, { earnedCents: number; earnedSales: number; refundedCents: number; refundedSales: number }>(`SELECT ${TOTALS} FROM sales WHERE ${fits}`).get(whole)
  return {
    bars,
    earned: { cents: totals?.earnedCents ?? 0, sales: totals?.earnedSales ?? 0 },
    refunded: { cents: totals?.refundedCents ?? 0, sales: totals?.refundedSales ?? 0 },
    products: db.prepare(productSums(`${fits} AND status <> 'cancelled'`)).all({ ...whole, products }) as Outputs['earned']['products'],
  }
}

/** Pending sales, those that wait for their release and those that disputes hold. */
export function pendingSums(db: Database): Outputs['pending'] {
  const sum = (where: string): Sum => db.prepare(`SELECT coalesce(sum(price_cents), 0) AS cents, count(*) AS sales FROM sales WHERE ${where}`).get() as Sum
  return { waiting: sum(standing.pending), held: sum(standing.held) }
}

/** The sales that are released between two moments, as far as the service tells when. */
export function releasesBetween(db: Database, { from, to, products }: { from: number; to: number; products: number }): Outputs['releases'] {
  const fits = `${standing.pending} AND release_at >= :from AND release_at < :to`
  const sums = db.prepare<Record<string, unknown>, Omit<Outputs['releases'], 'products'>>(`
    SELECT coalesce(sum(price_cents), 0) AS cents, count(*) AS sales, min(sold_at) AS soldFrom, max(sold_at) AS soldTo FROM sales WHERE ${fits}`).get({ from, to })
  return { ...(sums ?? { cents: 0, sales: 0, soldFrom: null, soldTo: null }), products: db.prepare(productSums(fits)).all({ from, to, products }) as Outputs['releases']['products'] }
}
