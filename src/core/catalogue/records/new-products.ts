import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../../server/api/money.ts'
import { rowWriter } from '../../mirror/mirror.ts'
import type { ColumnValue } from '../../mirror/mirror.ts'

/**
 * A product that the mirror doesn't have, as it will be stored. Its number is assigned on writing.
 */
export type NewProduct = {
  /** Values of {@link COLUMNS}, in the same order. */
  columns: readonly ColumnValue[]
  /** The words it is found by. Empty for a removed product. */
  words: readonly string[]
  texts: string | Uint8Array | null
  /** The first entry of its history. */
  price_cents: Cents | null
  in_stock: number | null
}

/** A product's number, and the words it is found by. */
type Found = { id: number; words: readonly string[] }
/** When and where products were seen. */
type Seen = { at: number; round: number; page: number | null; seq: number }

/** The columns with a product's own values. */
const COLUMNS = [
  'product_id',
  'name',
  'name_key',
  'platform',
  'region',
  'product_type',
  'delivery_type',
  'price_cents',
  'best_seller_cents',
  'in_stock',
  'qty',
  'excluded',
  'allowed_countries',
  'commission_class',
  'commission_percent',
  'offer_id',
  'updated_at',
  'removed',
] as const

/**
 * Prepares bulk inserts of new products. Written one by one, more than half of the time of a first
 * listing went into starting and finishing statements.
 */
export function newProductWriter(db: Database) {
  const last = db.prepare<[], number | null>('SELECT max(rid) FROM products').pluck()
  const insert = rowWriter(
    db,
    `INSERT INTO products (rid, ${COLUMNS.join(', ')}, read_at, round, page, seq)
    SELECT *, :at, :round, :page, :seq FROM ($rows)`,
    COLUMNS.length + 1,
  )
  const insertTexts = rowWriter(
    db,
    'INSERT INTO product_texts (rid, body) SELECT column1, CAST(column2 AS TEXT) FROM ($rows)',
    2,
  )
  const remember = rowWriter(
    db,
    'INSERT OR REPLACE INTO product_history (rid, price_cents, in_stock, at) SELECT *, :at FROM ($rows)',
    3,
  )

  /** Returns the search words of the products. Call inside the transaction of their page. */
  return (products: readonly NewProduct[], { at, round, page, seq }: Seen): Found[] => {
    const first = (last.get() ?? 0) + 1
    const [rows, texts, points]: [ColumnValue[], ColumnValue[], ColumnValue[]] = [[], [], []]
    products.forEach((product, index) => {
      const rid = first + index
      rows.push(rid, ...product.columns)
      if (product.texts !== null) texts.push(rid, product.texts)
      points.push(rid, product.price_cents, product.in_stock)
    })
    insert(rows, { at, round, page, seq })
    insertTexts(texts)
    remember(points, { at })
    return products.flatMap(({ words }, index) =>
      words.length === 0 ? [] : [{ id: first + index, words }],
    )
  }
}
