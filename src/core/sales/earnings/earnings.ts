import type { InferContractRouterOutputs } from '@orpc/contract'
import type { Database } from 'better-sqlite3'
import {
  addCents,
  type Cents,
  subtractCents,
  sumCents,
  ZERO,
} from '../../../../server/api/money.ts'
import type { Contract } from '../../../contract/index.ts'
import { prepared } from '../../mirror/mirror.ts'
import { haveStoredTotals, totalsByStateBetween } from '../list/filter.ts'
import type { StateTotals } from '../list/filter.ts'
import { stateConditions } from '../list/list.ts'

type Outputs = InferContractRouterOutputs<Contract['sales']>
type Bar = Outputs['earned']['bars'][number]
type Product = Outputs['earned']['products'][number]
type Sum = { cents: Cents; sales: number }

/** Sales whose products are added up in one turn: the core handles other work between two turns. */
const SUMMED_AT_ONCE = 8000

const sumOf = (where: string, name: string): string =>
  `coalesce(sum(price_cents) FILTER (WHERE ${where}), 0) AS ${name}`
const BY_STANDING = [
  sumOf(stateConditions.released, 'releasedCents'),
  sumOf(stateConditions.pending, 'pendingCents'),
  sumOf(stateConditions.held, 'heldCents'),
  sumOf(stateConditions.cancelled, 'refundedCents'),
].join(', ')

const barOf = (
  from: number,
  standings: StateTotals,
): Bar & { refunds: number; earnedSales: number; earnedCents: Cents } => {
  const of = (name: string): { sales: number; cents: Cents } =>
    standings.get(name) ?? { sales: 0, cents: ZERO }
  const all = [...standings.values()]
  const sales = all.reduce((total, each) => total + each.sales, 0)
  return {
    from,
    releasedCents: of('released').cents,
    pendingCents: of('pending').cents,
    heldCents: of('held').cents,
    refundedCents: of('cancelled').cents,
    sales,
    refunds: of('cancelled').sales,
    earnedSales: sales - of('cancelled').sales,
    earnedCents: subtractCents(sumCents(all.map(({ cents }) => cents)), of('cancelled').cents),
  }
}

/**
 * The seller's earnings between the edges, bar by bar. Amounts in cents; a sale without a price or
 * time counts as nothing. For a long period, products are added up in turns.
 */
export async function earningsBetween(
  db: Database,
  {
    edges,
    offerId,
    products,
  }: { edges: readonly number[]; offerId: string | null; products: number },
): Promise<Outputs['earned']> {
  const one = prepared(
    db,
    `SELECT ${BY_STANDING}, count(*) AS sales,
      coalesce(sum(price_cents) FILTER (WHERE status <> 'cancelled'), 0) AS earnedCents,
      count(*) FILTER (WHERE status = 'cancelled') AS refunds,
    count(*) FILTER (WHERE status <> 'cancelled') AS earnedSales FROM sales WHERE sold_at >= :from
      AND sold_at < :to${offerId === null ? '' : ' AND offer_id = :offerId'}`,
  )
  const kept = offerId === null && haveStoredTotals(edges)
  const bars = edges.slice(0, -1).map((from, at) => {
    const to = edges[at + 1] ?? from
    return kept
      ? barOf(from, totalsByStateBetween(db, from, to))
      : {
          from,
          ...(one.get({ from, to, ...(offerId === null ? {} : { offerId }) }) as Omit<
            ReturnType<typeof barOf>,
            'from'
          >),
        }
  })
  const count = (of: (bar: (typeof bars)[number]) => number): number =>
    bars.reduce((total, bar) => total + of(bar), 0)
  return {
    bars: bars.map(
      ({ refunds: _refunds, earnedSales: _sales, earnedCents: _cents, ...bar }) => bar,
    ),
    earned: {
      cents: sumCents(bars.map(({ earnedCents }) => earnedCents)),
      sales: count((bar) => bar.earnedSales),
    },
    refunded: {
      cents: sumCents(bars.map(({ refundedCents }) => refundedCents)),
      sales: count((bar) => bar.refunds),
    },
    products:
      products === 0
        ? []
        : (await productSums(db, turnsOf(bars, edges.at(-1) ?? 0), offerId)).slice(0, products),
  }
}

/** Time spans of some thousand sales each, from the stored totals. */
function turnsOf(
  bars: readonly { from: number; sales: number }[],
  end: number,
): { from: number; to: number }[] {
  const turns: { from: number; to: number }[] = []
  let [from, sales] = [bars[0]?.from ?? end, 0]
  bars.forEach((bar, at) => {
    sales += bar.sales
    const to = bars[at + 1]?.from ?? end
    if (sales < SUMMED_AT_ONCE && to !== end) return
    turns.push({ from, to })
    from = to
    sales = 0
  })
  return turns
}

/** The products of the sales in these spans without canceled ones, highest total first. */
async function productSums(
  db: Database,
  turns: readonly { from: number; to: number }[],
  offerId: string | null,
): Promise<Product[]> {
  const texts = new Map<number, Sum>()
  for (const [at, turn] of turns.entries()) {
    if (at > 0)
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
    const rows = prepared(
      db,
      `SELECT text_id AS id, coalesce(sum(price_cents), 0) AS cents, count(*) AS sales FROM sales
      WHERE sold_at >= :from AND sold_at < :to
        AND status <> 'cancelled'${offerId === null ? '' : ' AND offer_id = :offerId'} GROUP BY text_id`,
    ).all({ ...turn, ...(offerId === null ? {} : { offerId }) }) as (Sum & { id: number })[]
    for (const { id, cents, sales } of rows) add(texts, id, cents, sales)
  }
  const naming = prepared(
    db,
    'SELECT product_id AS productId, name FROM sales WHERE text_id = :id LIMIT 1',
  )
  const products = new Map<string, Product>()
  for (const [id, { cents, sales }] of texts) {
    const { productId, name } = (naming.get({ id }) ?? { productId: null, name: '' }) as Pick<
      Product,
      'productId' | 'name'
    >
    const known = products.get(productId ?? name)
    products.set(productId ?? name, {
      productId,
      name: known === undefined || name < known.name ? name : known.name,
      cents: addCents(cents, known?.cents ?? ZERO),
      sales: sales + (known?.sales ?? 0),
    })
  }
  return [...products.values()].toSorted((a, b) => b.cents - a.cents || (a.name < b.name ? -1 : 1))
}

function add(sums: Map<number, Sum>, id: number, cents: Cents, sales: number): void {
  const known = sums.get(id)
  sums.set(id, { cents: addCents(cents, known?.cents ?? ZERO), sales: sales + (known?.sales ?? 0) })
}

/** Pending sales: those waiting for release, and those held by disputes. */
export function pendingSums(db: Database): Outputs['pending'] {
  const sum = (where: string): Sum =>
    prepared(
      db,
      `SELECT coalesce(sum(cents), 0) AS cents, coalesce(sum(sales), 0) AS sales FROM sale_sums
        WHERE standing = :where`,
    ).get({ where }) as Sum
  return { waiting: sum('pending'), held: sum('held') }
}

/** The sales released between two moments, if the service reports their release. */
export function releasesBetween(
  db: Database,
  { from, to, products }: { from: number; to: number; products: number },
): Outputs['releases'] {
  const fits = `${stateConditions.pending} AND release_at >= :from AND release_at < :to`
  const sums = prepared(
    db,
    `
    SELECT coalesce(sum(price_cents), 0) AS cents, count(*) AS sales, min(sold_at) AS soldFrom,
      max(sold_at) AS soldTo FROM sales WHERE ${fits}`,
  ).get({ from, to }) as Omit<Outputs['releases'], 'products'>
  return {
    ...sums,
    products: prepared(
      db,
      `SELECT product_id AS productId, min(name) AS name, coalesce(sum(price_cents), 0) AS cents,
        count(*) AS sales FROM sales WHERE ${fits}
      GROUP BY coalesce(product_id, name) ORDER BY cents DESC, name LIMIT :products`,
    ).all({ from, to, products }) as Product[],
  }
}
