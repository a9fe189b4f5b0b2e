import { setImmediate } from 'node:timers/promises'
import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Database } from 'better-sqlite3'
import type { Contract } from '../../../contract/index.ts'
import type { Bulk, BulkLine, BulkNote, PlanPage } from '../../../contract/offers/offer-bulk.ts'
import type { NewOfferItem, NewPrice } from '../../../contract/offers/offer-creation.ts'
import {
  type Cents,
  cents,
  customerPrice,
  parseEuros,
  percentHundredths,
  sellerPriceFor,
  subtractCents,
  timesFactor,
} from '../../../../server/api/money.ts'
import { knownProducts, productsByName } from '../../catalogue/catalogue.ts'
import type { KnownProduct } from '../../catalogue/catalogue.ts'
import { failure } from '../../failure.ts'
import { tableCells } from '../../table-text.ts'
import type { Confirmed } from './planning/confirmation.ts'
import { fingerprintOf, summaryOf } from './planning/plan.ts'
import type { Plan, PlanCache } from './planning/plan.ts'

type Inputs = InferContractRouterInputs<Contract['offers']['creation']>
type Outputs = InferContractRouterOutputs<Contract['offers']['creation']>

/** Products planned without a pause, so that the core can serve other requests in between. */
const CHUNK_SIZE = 500
/** Maximum number of unreadable lines that are listed. */
const MAX_LISTED_PROBLEMS = 200
const HEADER_CELL = /^(?:product|products|product ?id|productid|id|name|title|game|sku)$/i
const MIN_PRICE_CENTS = cents(1)
const MAX_PRICE_CENTS = cents(10_000_000)

/** The most lines of a table that are used. */
const MAX_ITEMS = 20_000
/** Number of tables that are kept. */
const KEPT_TABLES = 3

/** Finds a product by id, or by exact name if only one product has it. */
function findProduct(
  db: Database,
  text: string,
  known: ReadonlyMap<string, unknown>,
): { productId: string } | { reason: string } {
  if (known.has(text)) return { productId: text }
  const named = productsByName(db, text, 2)
  const [only] = named
  if (only === undefined) return { reason: 'No product has this id or exact name.' }
  return named.length > 1
    ? { reason: 'Several products have this name. Use the product’s id.' }
    : { productId: only }
}

function parsePrice(text: string): { cents: Cents | null } | { reason: string } {
  if (text.trim() === '') return { cents: null }
  const read = parseEuros(text)
  if (!read.ok)
    return {
      reason:
        read.reason === 'decimals'
          ? 'The price has more than two decimals.'
          : read.reason === 'too-large'
            ? 'The price is too high.'
            : 'The price isn’t an amount in EUR.',
    }
  if (read.cents < MIN_PRICE_CENTS || read.cents > MAX_PRICE_CENTS)
    return { reason: 'The price must be between 0.01 and 100,000.00.' }
  return { cents: read.cents }
}

type ReadTable = { items: NewOfferItem[] } & Pick<Outputs['read'], 'wrong' | 'wrongCount'>

/**
 * Reads a table of products and prices in chunks, so that the core can serve other requests in
 * between. Unreadable lines are returned with their reasons.
 */
async function readTable(db: Database, text: string): Promise<ReadTable> {
  const data = tableCells(text)
  const items: NewOfferItem[] = []
  const wrong: { line: number; text: string; reason: string }[] = []
  const readLine = (index: number, row: string[], known: ReadonlyMap<string, unknown>): void => {
    const [product = '', price = ''] = row
    if (product === '' && price === '') return
    if (index === 0 && HEADER_CELL.test(product.replaceAll('_', ' '))) return
    const found =
      product === '' ? { reason: 'The product is missing.' } : findProduct(db, product, known)
    const priced = parsePrice(price)
    if ('reason' in found)
      wrong.push({ line: index + 1, text: row.join(', ').slice(0, 200), reason: found.reason })
    else if ('reason' in priced)
      wrong.push({ line: index + 1, text: row.join(', ').slice(0, 200), reason: priced.reason })
    else items.push({ productId: found.productId, priceCents: priced.cents })
  }
  for (let from = 0; from < data.length; from += CHUNK_SIZE) {
    const rows = data.slice(from, from + CHUNK_SIZE)
    const known = knownProducts(
      db,
      rows.map(([product = '']) => product),
    )
    for (const [at, row] of rows.entries()) readLine(from + at, row, known)
    await setImmediate()
  }
  return {
    items: items.slice(0, MAX_ITEMS),
    wrong: wrong.slice(0, MAX_LISTED_PROBLEMS),
    wrongCount: wrong.length,
  }
}

/** The latest tables of each account, which requests name by their ids. */
function createTables(newId: () => string) {
  const kept = new Map<string, Map<string, NewOfferItem[]>>()
  return {
    keep(accountId: string, items: NewOfferItem[]): string {
      const tables = kept.get(accountId) ?? new Map<string, NewOfferItem[]>()
      kept.set(accountId, tables)
      const tableId = newId()
      tables.set(tableId, items)
      const [oldest] = tables.keys()
      if (tables.size > KEPT_TABLES && oldest !== undefined) tables.delete(oldest)
      return tableId
    },
    of(accountId: string, tableId: string): NewOfferItem[] {
      const items = kept.get(accountId)?.get(tableId)
      if (items !== undefined) return items
      throw failure('NOT_FOUND', 'This table is no longer kept.', 'Add the table again.', {
        effect: 'No offer was created.',
      })
    },
  }
}

/** The price that the seller receives by this rule, or the reason why it can't be computed. */
function computePrice(
  product: KnownProduct,
  given: Cents | null,
  price: NewPrice,
): Cents | BulkNote {
  if (price.by === 'given' && given !== null) return given
  if (price.by === 'given' || product.priceCents === null || product.priceCents === 0)
    return 'no-shop-price'
  if (product.commissionPercent === null) return 'no-commission'
  const shop = product.priceCents
  const aim =
    price.by === 'shop'
      ? shop
      : price.by === 'undercut'
        ? subtractCents(shop, price.cents)
        : timesFactor(shop, { numerator: BigInt(10_000 + price.hundredths), denominator: 10_000n })
  if (aim < MIN_PRICE_CENTS) return 'too-low'
  const receive = sellerPriceFor(aim, percentHundredths(product.commissionPercent))
  return receive > MAX_PRICE_CENTS ? 'too-high' : receive
}

const NO_STATE = {
  priceCents: null,
  customerCents: null,
  status: null,
  stock: null,
  leads: null,
  aheadCents: null,
} as const

/** Plans an offer for every product, or notes why it is left out. */
async function planCreation(
  db: Database,
  {
    items,
    price,
    status,
  }: { items: readonly NewOfferItem[]; price: NewPrice; status: 'active' | 'paused' },
  guardPercent: number,
): Promise<Plan> {
  const own = db.prepare('SELECT 1 FROM offers WHERE product_id = :productId')
  const seen = new Set<string>()
  const lineOf = (
    { productId, priceCents }: NewOfferItem,
    product: KnownProduct | undefined,
  ): BulkLine => {
    const about = {
      subjectId: productId,
      name: product?.name ?? productId,
      platform: product?.platform ?? '',
      region: product?.region ?? '',
      deliveryType: product?.deliveryType ?? '',
    }
    const leftOut = (note: BulkNote): BulkLine => ({
      ...about,
      verdict: 'left-out',
      note,
      before: NO_STATE,
      after: NO_STATE,
    })
    if (product === undefined || product.removed) return leftOut('unknown-product')
    if (seen.has(productId)) return leftOut('twice')
    seen.add(productId)
    if (own.get({ productId }) !== undefined) return leftOut('own-offer')
    const receive = computePrice(product, priceCents, price)
    if (typeof receive === 'string') return leftOut(receive)
    const customerCents =
      product.commissionPercent === null
        ? null
        : customerPrice(receive, percentHundredths(product.commissionPercent))
    const aheadCents =
      customerCents === null || product.priceCents === null || product.priceCents === 0
        ? null
        : subtractCents(product.priceCents, customerCents)
    return {
      ...about,
      verdict: 'changes',
      note: null,
      before: NO_STATE,
      after: { priceCents: receive, customerCents, status, stock: 0, leads: null, aheadCents },
    }
  }
  const lines: BulkLine[] = []
  for (let from = 0; from < items.length; from += CHUNK_SIZE) {
    const chunk = items.slice(from, from + CHUNK_SIZE)
    const products = knownProducts(
      db,
      chunk.map(({ productId }) => productId),
    )
    for (const item of chunk) lines.push(lineOf(item, products.get(item.productId)))
    await setImmediate()
  }
  return {
    lines,
    summary: summaryOf(lines, false, guardPercent),
    fingerprint: fingerprintOf(lines),
  }
}

type Parts = {
  database: (accountId: string) => Database
  newId: () => string
  /** The price guard of the settings, in percent; 0 for none. */
  guardPercent: () => number
  plans: PlanCache
  page: (
    accountId: string,
    kind: 'create',
    plan: Plan,
    window: Inputs['preview']['window'],
  ) => PlanPage
  begin: (
    accountId: string,
    plan: Plan,
    confirmed: Confirmed,
    bulk: { kind: 'create'; title: string },
  ) => Promise<Bulk>
}

/** Bulk creation of offers. */
export function createBulkCreation({ database, newId, guardPercent, plans, page, begin }: Parts) {
  const tables = createTables(newId)
  function planFor({
    accountId,
    source,
    price,
    status = 'active',
  }: Pick<Inputs['start'], 'accountId' | 'source' | 'price' | 'status'>): Promise<Plan> {
    const db = database(accountId)
    const items =
      'tableId' in source ? tables.of(accountId, source.tableId) : source.items.map(itemOf)
    const guard = guardPercent()
    return plans.recall(accountId, db, JSON.stringify([source, price, status, guard]), () =>
      planCreation(db, { items, price, status }, guard),
    )
  }
  return {
    async read({ accountId, text }: Inputs['read']): Promise<Outputs['read']> {
      const { items, ...problems } = await readTable(database(accountId), text)
      return {
        ...problems,
        tableId: tables.keep(accountId, items),
        lines: items.length,
        priced: items.filter(({ priceCents }) => priceCents !== null).length,
      }
    },
    preview: async ({ window, ...wish }: Inputs['preview']): Promise<Outputs['preview']> =>
      page(wish.accountId, 'create', await planFor(wish), window),
    start: async ({
      fingerprint,
      typed = null,
      beyondGuard = false,
      ...wish
    }: Inputs['start']): Promise<Bulk> =>
      begin(
        wish.accountId,
        await planFor(wish),
        { fingerprint, typed, beyondGuard },
        { kind: 'create', title: 'New offers' },
      ),
  }
}

const itemOf = ({
  productId,
  priceCents = null,
}: Extract<Inputs['start']['source'], { items: unknown }>['items'][number]): NewOfferItem => ({
  productId,
  priceCents,
})
