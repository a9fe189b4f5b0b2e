import type { Database, Statement } from 'better-sqlite3'
import type { Cents } from '../../../server/api/money.ts'
import { perDatabase, prepared, wordIndex, wordsOfNamed } from '../mirror/mirror.ts'
import type { WordUses } from '../mirror/mirror.ts'
import { facetWriter, noteFacet } from './records/facets.ts'
import type { NewFacets } from './records/facets.ts'
import type { ProductFacts } from './records/product-facts.ts'
import { newProductWriter } from './records/new-products.ts'
import type { NewProduct } from './records/new-products.ts'
import { PRODUCT_WORDS } from './schema.ts'

/** A product as stored. Booleans are 0 and 1. */
export type ProductRecord = {
  rid: number
  product_id: string
  name: string
  name_key: string
  platform: string
  region: string
  product_type: string
  delivery_type: string
  price_cents: Cents | null
  best_seller_cents: Cents | null
  in_stock: number | null
  qty: number | null
  excluded: string | null
  allowed_countries: number | null
  commission_class: string | null
  commission_percent: number | null
  offer_id: string | null
  updated_at: number | null
  removed: number
  read_at: number
  lent_at: number | null
}

/**
 * The listing a product was seen in: `round` counts full listings, `page` is its page in a paged
 * listing.
 */
export type Seen = { at: number; round: number; page: number | null; seq: number }

export interface ProductWriter {
  /**
   * Writes a page of products. Returns whether anything visible changed, and which products are
   * new.
   */
  put(page: readonly ProductFacts[], seen: Seen): { changed: boolean; added: string[] }
  /** Marks as removed every product not seen since `round`. Returns their number. */
  removeUnseen(round: number, seen: Seen): number
}

/** The writer of a mirror. Call it inside the transaction that also writes the sync position. */
export const productWriter = perDatabase(createProductWriter)

const COMPARED = [
  'name',
  'platform',
  'region',
  'product_type',
  'delivery_type',
  'price_cents',
  'best_seller_cents',
  'commission_class',
  'commission_percent',
  'removed',
] as const
/**
 * Reported only by the partner API. A seller's mirror copies them from there, so a seller's page
 * leaves them alone.
 */
const COMPARED_PARTNER = ['in_stock', 'qty', 'excluded', 'allowed_countries', 'updated_at'] as const

/** The values a history entry stores. */
type Remembered = { price_cents: Cents | null; in_stock: number | null }
const SOLD_OUT: Remembered = { price_cents: null, in_stock: 0 }

/** Columns of a product: its own, and those that only the partner API reports. */
function columnsOf(facts: ProductFacts) {
  const own = {
    product_id: facts.productId,
    name: facts.name,
    platform: facts.platform,
    region: facts.region,
    product_type: facts.productType,
    delivery_type: facts.deliveryType,
    price_cents: facts.priceCents,
    best_seller_cents: facts.bestSellerCents,
    commission_class: facts.commissionClass,
    commission_percent: facts.commissionPercent,
    removed: Number(facts.removed),
    name_key: facts.nameKey,
  }
  const partner = {
    in_stock: facts.inStock === null ? null : Number(facts.inStock),
    qty: facts.qty,
    excluded: facts.excluded,
    allowed_countries: facts.allowedCountries,
    updated_at: facts.updatedAt,
  }
  return { own, partner }
}

/**
 * In the history, sold out and removed are the same: no price. Stock copied from a partner
 * account isn't the seller's own observation, so it isn't stored.
 */
const remembered = (
  row: Pick<ProductRecord, 'price_cents' | 'in_stock' | 'removed'>,
  fromPartner: boolean,
): Remembered =>
  row.removed === 1 || (fromPartner && row.in_stock === 0)
    ? SOLD_OUT
    : { price_cents: row.price_cents, in_stock: fromPartner ? row.in_stock : null }
function newProductOf(
  facts: ProductFacts,
  { own, partner }: ReturnType<typeof columnsOf>,
  offerId: string | null,
): NewProduct {
  return {
    columns: [
      own.product_id,
      own.name,
      own.name_key,
      own.platform,
      own.region,
      own.product_type,
      own.delivery_type,
      own.price_cents,
      own.best_seller_cents,
      partner.in_stock,
      partner.qty,
      partner.excluded,
      partner.allowed_countries,
      own.commission_class,
      own.commission_percent,
      offerId,
      partner.updated_at,
      own.removed,
    ],
    words: facts.removed ? [] : wordsOfNamed(own),
    texts: facts.texts,
    ...remembered(
      { price_cents: own.price_cents, in_stock: partner.in_stock, removed: own.removed },
      facts.texts !== null,
    ),
  }
}

function createProductWriter(db: Database): ProductWriter {
  const words = wordIndex(db, PRODUCT_WORDS)
  const addFacets = facetWriter(db)
  const insertNew = newProductWriter(db)
  const find: Statement = db.prepare('SELECT * FROM products WHERE product_id = ?')
  const findAll: Statement = db.prepare(
    'SELECT * FROM products WHERE product_id IN (SELECT value FROM json_each(?))',
  )
  const anyOwnOffer = db.prepare('SELECT 1 FROM own_offers LIMIT 1')
  const ownOffer: Statement = db
    .prepare('SELECT offer_id FROM own_offers WHERE product_id = ?')
    .pluck()
  const update = db.prepare(`
    UPDATE products SET name = :name, name_key = :name_key, platform = :platform, region = :region,
      product_type = :product_type, delivery_type = :delivery_type, price_cents = :price_cents,
      best_seller_cents = :best_seller_cents, in_stock = :in_stock, qty = :qty, excluded = :excluded,
      allowed_countries = :allowed_countries, commission_class = :commission_class,
      commission_percent = :commission_percent, updated_at = :updated_at, removed = :removed,
      read_at = :read_at, round = :round, page = :page, seq = :seq WHERE rid = :rid`)
  const touch = db.prepare(
    'UPDATE products SET read_at = :read_at, round = :round, page = :page WHERE rid = :rid',
  )
  const writeTexts = db.prepare(`
    INSERT INTO product_texts (rid, body) VALUES (:rid, CAST(:body AS TEXT))
    ON CONFLICT (rid) DO UPDATE SET body = excluded.body WHERE body <> excluded.body`)
  const remember = db.prepare(
    'INSERT OR REPLACE INTO product_history (rid, at, price_cents, in_stock) VALUES (?, ?, ?, ?)',
  )
  const unseen: Statement = db.prepare(
    'SELECT * FROM products WHERE removed = 0 AND round < :round',
  )
  const markRemoved = db.prepare('UPDATE products SET removed = 1, seq = :seq WHERE rid = :rid')

  const note = (rid: number, at: number, { price_cents, in_stock }: Remembered): void =>
    void remember.run(rid, at, price_cents, in_stock)

  /** Changes in other tables, collected per product and written at the end of the batch. */
  type Batch = {
    uses: WordUses
    facets: NewFacets
    /** Whether the account has own offers at all. */ offered: boolean
  }

  function newProduct(facts: ProductFacts, { facets, offered }: Batch): NewProduct {
    const offerId = offered ? ((ownOffer.get(facts.productId) as string | undefined) ?? null) : null
    const { own, partner } = columnsOf(facts)
    const { in_stock, excluded } = partner
    noteFacet(facets, { ...own, in_stock, excluded, offer_id: offerId })
    return newProductOf(facts, { own, partner }, offerId)
  }

  /** Whether anything visible changed. */
  function change(
    before: ProductRecord,
    facts: ProductFacts,
    seen: Seen,
    { uses }: Batch,
  ): boolean {
    const { own, partner } = columnsOf(facts)
    const now = { ...own, read_at: seen.at, round: seen.round, page: seen.page, seq: seen.seq }
    const fromPartner = facts.texts !== null
    const next = fromPartner
      ? partner
      : {
          in_stock: before.in_stock,
          qty: before.qty,
          excluded: before.excluded,
          allowed_countries: before.allowed_countries,
          updated_at: before.updated_at,
        }
    const rid = before.rid
    const textsChanged = fromPartner && writeTexts.run({ rid, body: facts.texts }).changes > 0
    const columnsChanged =
      COMPARED.some((column) => before[column] !== now[column]) ||
      COMPARED_PARTNER.some((column) => before[column] !== next[column])
    if (!columnsChanged && !textsChanged) {
      touch.run({ rid, read_at: seen.at, round: seen.round, page: seen.page })
      return false
    }
    update.run({ ...now, ...next, rid })
    words.put(
      rid,
      facts.removed ? [] : wordsOfNamed(now),
      before.removed === 1 ? [] : wordsOfNamed(before),
      uses,
    )
    const [old, fresh] = [
      remembered(before, fromPartner),
      remembered({ ...now, ...next }, fromPartner),
    ]
    if (old.price_cents !== fresh.price_cents || old.in_stock !== fresh.in_stock)
      note(rid, seen.at, fresh)
    return true
  }

  return {
    put(page, seen) {
      const batch: Batch = {
        uses: new Map(),
        facets: new Map(),
        offered: anyOwnOffer.get() !== undefined,
      }
      const known = new Map(
        (
          findAll.all(JSON.stringify(page.map(({ productId }) => productId))) as ProductRecord[]
        ).map((row) => [row.product_id, row]),
      )
      const seenIds = new Set<string>()
      const added: string[] = []
      let fresh: NewProduct[] = []
      let changed = false
      function writeFresh(): void {
        words.add(insertNew(fresh, seen), batch.uses)
        fresh = []
        batch.uses.clear()
      }
      for (const facts of page) {
        const id = facts.productId
        const isRepeated = seenIds.has(id)
        seenIds.add(id)
        // Compare a repeated product with the record stored by its first occurrence.
        if (isRepeated) writeFresh()
        const before = isRepeated ? (find.get(id) as ProductRecord | undefined) : known.get(id)
        if (before === undefined) {
          fresh.push(newProduct(facts, batch))
          added.push(id)
          changed = true
        } else changed = change(before, facts, seen, batch) || changed
      }
      addFacets(batch.facets)
      writeFresh()
      return { changed, added }
    },
    removeUnseen(round, seen) {
      const gone = unseen.all({ round }) as ProductRecord[]
      const uses: WordUses = new Map()
      for (const row of gone) {
        markRemoved.run({ rid: row.rid, seq: seen.seq })
        words.remove(row.rid, wordsOfNamed(row), uses)
        note(row.rid, seen.at, SOLD_OUT)
      }
      words.settle(uses)
      return gone.length
    },
  }
}

/** The columns of a {@link ProductRecord}, of the table as `p`. */
export const PRODUCT_COLUMNS = `p.rid, p.product_id, p.name, p.name_key, p.platform, p.region, p.product_type,
  p.delivery_type, p.price_cents, p.best_seller_cents, p.in_stock, p.qty, p.excluded, p.allowed_countries,
  p.commission_class, p.commission_percent, p.offer_id, p.updated_at, p.removed, p.read_at, p.lent_at`
/** One product, or undefined if this mirror never had it. */
export const findProduct = (db: Database, productId: string): ProductRecord | undefined =>
  db
    .prepare(`SELECT ${PRODUCT_COLUMNS} FROM products p WHERE p.product_id = :productId`)
    .get({ productId }) as ProductRecord | undefined

/** Products by id, in no particular order. Unknown ids are left out. */
export const findProducts = (db: Database, productIds: readonly string[]): ProductRecord[] =>
  prepared(
    db,
    `SELECT ${PRODUCT_COLUMNS} FROM products p WHERE p.product_id IN (SELECT value FROM json_each(:ids))`,
  ).all({ ids: JSON.stringify(productIds) }) as ProductRecord[]

/**
 * The texts of a product as its API reported them. Null if there are none, or they can't be parsed.
 */
export function readTexts(db: Database, rid: number): Record<string, unknown> | null {
  const body = db
    .prepare('SELECT body FROM product_texts WHERE rid = :rid')
    .pluck()
    .get({ rid }) as string | undefined
  if (body === undefined) return null
  try {
    return JSON.parse(body) as Record<string, unknown>
  } catch {
    // The service sent it this way. It is replaced when the product changes.
    return null
  }
}

/** Observed prices and stock of a product, oldest first. */
export const readHistory = (
  db: Database,
  rid: number,
): { at: number; price_cents: Cents | null; in_stock: number | null }[] =>
  db
    .prepare('SELECT at, price_cents, in_stock FROM product_history WHERE rid = :rid ORDER BY at')
    .all({ rid }) as { at: number; price_cents: Cents | null; in_stock: number | null }[]

/** Pages of the seller's list that hold products with own offers, in order. */
export const pagesOfOwnOffers = (db: Database): number[] =>
  db
    .prepare(
      `SELECT DISTINCT page FROM products
      WHERE offer_id IS NOT NULL AND page IS NOT NULL AND removed = 0 ORDER BY page`,
    )
    .pluck()
    .all() as number[]
