import type { OfferRecord } from '../../domain/ports/selling/offers.ts'

export type OfferRow = Omit<OfferRecord, 'sellable'> & { sellable: 0 | 1 }

/** An offer's columns, named as in its record. */
export const offerColumns = `no, id, seller_id AS sellerId, product_id AS productId, price,
  customer_price AS customerPrice,
  status, sellable, stock, reserved, sold, priced_at AS pricedAt, created_at AS createdAt, updated_at AS updatedAt`

export const offerRecord = (row: OfferRow): OfferRecord => ({
  ...row,
  sellable: row.sellable === 1,
})
