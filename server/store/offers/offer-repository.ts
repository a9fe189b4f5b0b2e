import type { Database } from 'better-sqlite3'
import type { Cents } from '../../api/money.ts'
import type { OfferStatus } from '../../api/schemas/enums.ts'
import type {
  NewOffer,
  OfferRecord,
  OfferRepository,
  SupplyOffer,
} from '../../domain/ports/selling/offers.ts'
import { cachedRow, type RowCache } from '../row-cache.ts'
import {
  offerColumns as columns,
  offerRecord as record,
  type OfferRow as Row,
} from './offer-columns.ts'

function optional(row: Row | undefined): OfferRecord | undefined {
  return row && record(row)
}

function flat<T extends { sellable: boolean }>(
  offer: T,
): Omit<T, 'sellable'> & { sellable: number } {
  return { ...offer, sellable: offer.sellable ? 1 : 0 }
}

/** Offers by id, seller and product. */
function readQueries(
  database: Database,
): Pick<OfferRepository, 'find' | 'findByNo' | 'findBySeller' | 'ofProduct' | 'ofSeller'> {
  const find = database.prepare<{ id: string }, Row>(
    `SELECT ${columns} FROM offers WHERE id = @id AND deleted_at IS NULL`,
  )
  const findByNo = database.prepare<{ no: number }, Row>(
    `SELECT ${columns} FROM offers WHERE no = @no`,
  )
  const findBySeller = database.prepare<{ sellerId: string; productId: string }, Row>(
    `SELECT ${columns} FROM offers WHERE seller_id = @sellerId AND product_id = @productId AND deleted_at IS NULL`,
  )
  const ofProduct = database.prepare<{ productId: string }, Row>(
    `SELECT ${columns} FROM offers WHERE product_id = @productId AND deleted_at IS NULL ORDER BY no`,
  )
  const ofSeller = database.prepare<{ sellerId: string }, Row>(
    `SELECT ${columns} FROM offers WHERE seller_id = @sellerId AND deleted_at IS NULL ORDER BY no`,
  )

  return {
    find: (id) => optional(find.get({ id })),
    findByNo: (no) => optional(findByNo.get({ no })),
    findBySeller: (sellerId, productId) => optional(findBySeller.get({ sellerId, productId })),
    ofProduct: (productId) => ofProduct.all({ productId }).map(record),
    ofSeller: (sellerId) => ofSeller.all({ sellerId }).map(record),
  }
}

/**
 * Pages of a seller's offers. Without a status, counting and skipping offers reads only the index,
 * not a row for each.
 */
function pageQueries(database: Database): Pick<OfferRepository, 'page' | 'count'> {
  const queries = (condition: string) => {
    const where = `seller_id = @sellerId AND deleted_at IS NULL ${condition}`
    return {
      page: database.prepare<
        { sellerId: string; status?: OfferStatus; offset: number; limit: number },
        Row
      >(`SELECT ${columns} FROM offers WHERE ${where}
        ORDER BY created_at DESC, id LIMIT @limit OFFSET @offset`),
      count: database
        .prepare<{ sellerId: string; status?: OfferStatus }, number>(
          `SELECT count(*) FROM offers WHERE ${where}`,
        )
        .pluck(),
    }
  }
  const ofAny = queries('')
  const ofOne = queries('AND status = @status')

  return {
    page: (sellerId, status, offset, limit) =>
      (status === undefined
        ? ofAny.page.all({ sellerId, offset, limit })
        : ofOne.page.all({ sellerId, status, offset, limit })
      ).map(record),
    count: (sellerId, status) =>
      (status === undefined
        ? ofAny.count.get({ sellerId })
        : ofOne.count.get({ sellerId, status })) ?? 0,
  }
}

/** Writes of offers. Each drops the cached supply of the offer's product. */
function writeQueries(
  database: Database,
  cache: RowCache,
): Pick<OfferRepository, 'insert' | 'update' | 'move' | 'remove'> {
  const insert = database.prepare<Omit<NewOffer, 'sellable'> & { sellable: number }>(`
    INSERT INTO offers (id, seller_id, product_id, price, customer_price, status, sellable, stock, reserved, sold,
      priced_at, created_at, updated_at)
    VALUES (@id, @sellerId, @productId, @price, @customerPrice, @status, @sellable, @stock, @reserved, @sold,
      @pricedAt, @createdAt, @updatedAt)`)
  const update = database.prepare<Omit<OfferRecord, 'sellable'> & { sellable: number }>(`
    UPDATE offers SET price = @price, customer_price = @customerPrice, status = @status, sellable = @sellable,
      priced_at = @pricedAt, updated_at = @updatedAt WHERE no = @no`)
  const move = database
    .prepare<{ no: number; stock: number; reserved: number; sold: number }, string>(
      `
    UPDATE offers SET stock = stock + @stock, reserved = reserved + @reserved, sold = sold + @sold
      WHERE no = @no RETURNING product_id`,
    )
    .pluck()
  const remove = database
    .prepare<{ no: number; at: number }, string>(
      'UPDATE offers SET deleted_at = @at, sellable = 0 WHERE no = @no RETURNING product_id',
    )
    .pluck()
  function forget(productId: string | undefined): void {
    if (productId !== undefined) cache.supply.delete(productId)
  }

  return {
    insert(offer) {
      const no = Number(insert.run(flat(offer)).lastInsertRowid)
      forget(offer.productId)
      cache.contestedProducts.clear()
      return { ...offer, no }
    },
    update(offer) {
      update.run(flat(offer))
      forget(offer.productId)
    },
    move: (no, by) => forget(move.get({ no, stock: 0, reserved: 0, sold: 0, ...by })),
    remove(no, at) {
      forget(remove.get({ no, at }))
      cache.contestedProducts.clear()
    },
  }
}

/** The supply of each product, cached. */
function supplyQueries(
  database: Database,
  cache: RowCache,
): Pick<OfferRepository, 'supply' | 'supplySummary'> {
  const supply = database.prepare<{ productId: string }, SupplyOffer>(`
    SELECT no, id, price, customer_price AS customerPrice, stock FROM offers
    WHERE product_id = @productId AND sellable = 1 AND stock > 0
    ORDER BY customer_price, priced_at, id`)
  function supplyOf(productId: string): readonly SupplyOffer[] {
    return cachedRow(cache.supply, productId, () => supply.all({ productId }))
  }

  return {
    // A copy, because callers reduce its stock while they sell from it.
    supply: (productId) => supplyOf(productId).map((offer) => ({ ...offer })),
    supplySummary(productId) {
      const offers = supplyOf(productId)
      const first = offers[0]
      const lowPrice: Cents | null = first?.customerPrice ?? null
      return {
        lowPrice,
        units: offers.reduce((sum, offer) => sum + offer.stock, 0),
        firstOfferId: first?.id ?? null,
      }
    },
  }
}

export function createOfferRepository(database: Database, cache: RowCache): OfferRepository {
  return {
    ...readQueries(database),
    ...pageQueries(database),
    ...writeQueries(database, cache),
    ...supplyQueries(database, cache),
  }
}
