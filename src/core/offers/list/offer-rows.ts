import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../../server/api/money.ts'
import type { OfferRow } from '../../../contract/offers/offers.ts'
import { prepared } from '../../mirror/mirror.ts'
import { readProblem } from '../../stored-problem.ts'
import type { OfferRecord, OfferStatus } from '../store.ts'

type Joined = OfferRecord & {
  change_state: 'saving' | 'refused' | null
  change_price: Cents | null
  change_status: OfferStatus | null
  change_problem: string | null
}

const SELECT = `
  SELECT o.*, c.state AS change_state, c.price_cents AS change_price, c.status AS change_status,
    c.problem AS change_problem
  FROM offers o LEFT JOIN offer_changes c ON c.offer_id = o.offer_id`

/** The offers with these rids, in the given order; unknown rids are left out. */
export function rowsOf(db: Database, rids: readonly number[]): OfferRow[] {
  const found = prepared(db, `${SELECT} WHERE o.rid IN (SELECT value FROM json_each(:rids))`).all({
    rids: JSON.stringify(rids),
  }) as Joined[]
  const byRid = new Map(found.map((row) => [row.rid, row]))
  return rids.flatMap((rid) => {
    const row = byRid.get(rid)
    return row === undefined ? [] : [offerRow(row)]
  })
}

/** Offers by id, in the given order; unknown ids are left out. */
export function readOffers(db: Database, offerIds: readonly string[]): OfferRow[] {
  const found = prepared(
    db,
    `${SELECT} WHERE o.offer_id IN (SELECT value FROM json_each(:ids))`,
  ).all({ ids: JSON.stringify(offerIds) }) as Joined[]
  const byId = new Map(found.map((row) => [row.offer_id, row]))
  return offerIds.flatMap((offerId) => {
    const row = byId.get(offerId)
    return row === undefined ? [] : [offerRow(row)]
  })
}

/** Up to `limit` offers with greater ids, in the order of their ids. */
export const offersAfter = (db: Database, offerId: string, limit: number): OfferRow[] =>
  (
    prepared(db, `${SELECT} WHERE o.offer_id > :offerId ORDER BY o.offer_id LIMIT :limit`).all({
      offerId,
      limit,
    }) as Joined[]
  ).map(offerRow)

/** One offer as the screen shows it; undefined if the mirror doesn't have it. */
export function readOffer(db: Database, offerId: string): OfferRow | undefined {
  const row = prepared(db, `${SELECT} WHERE o.offer_id = :offerId`).get({ offerId }) as
    | Joined
    | undefined
  return row === undefined ? undefined : offerRow(row)
}

const offerRow = (row: Joined): OfferRow => ({
  offerId: row.offer_id,
  productId: row.product_id ?? '',
  name: row.name,
  platform: row.platform,
  region: row.region,
  productType: row.product_type,
  deliveryType: row.delivery_type,
  priceCents: row.price_cents,
  customerCents: row.customer_cents,
  commission:
    row.commission_class === null || row.commission_percent === null
      ? null
      : { class: row.commission_class, percent: row.commission_percent },
  status: row.status,
  stock: row.stock,
  sold: row.sold,
  isCheapest: row.is_cheapest === null ? null : row.is_cheapest === 1,
  lowestCustomerCents: row.lowest_customer_cents,
  ...(row.unavailable === 1 && { unavailable: true }),
  costCents: row.cost_cents,
  lowAt: row.low_at,
  ownFloorCents: row.floor_cents,
  ownCeilingCents: row.ceiling_cents,
  updatedAt: row.updated_at,
  seenAt: row.seen_at,
  pending:
    row.change_state === null
      ? null
      : {
          state: row.change_state,
          priceCents: row.change_price,
          status: row.change_status,
          problem: readProblem(row.change_problem),
        },
})
