/**
 * The acknowledged results, recorded before the next step: the soak's own record, with which the
 * service is compared.
 */
import type { Cents } from '../../../server/api/money.ts'
import type { Mode } from '../../../server/api/schemas/enums.ts'

export type PartnerAccount = { readonly id: string; readonly keys: Readonly<Record<Mode, string>> }
export type SellerAccount = {
  readonly id: string
  readonly key: string
  readonly offers: readonly OfferFacts[]
}
export type OfferFacts = { readonly id: string; readonly productId: string }
export type Accounts = {
  readonly partners: readonly PartnerAccount[]
  readonly sellers: readonly SellerAccount[]
  readonly products: readonly string[]
}

export type PlacedOrder = {
  readonly id: string
  readonly partner: number
  readonly mode: Mode
  readonly total: Cents
}
/** A request with its key and response: a repeat must return the same response, byte for byte. */
export type Repeatable = {
  readonly partner: number
  readonly mode: Mode
  readonly key: string
  readonly body: OrderBody
  readonly answer: string
}
export type OrderBody = {
  readonly externalId: string
  readonly items: {
    readonly productId: string
    readonly qty: number
    readonly maxUnitPrice: Cents
  }[]
}

export type DisputeFacts = {
  readonly id: string
  readonly orderId: string
  readonly seller: number
  readonly offerId: string
  /** The acknowledged results. */
  resolution: 'replaced' | 'refunded' | 'rejected' | null
  escalated: boolean
  readonly messages: Set<string>
}

export type Book = {
  readonly accounts: Accounts
  /** By externalId. */
  readonly orders: Map<string, PlacedOrder>
  /** Delivered keys as downloaded: by order id, value by key id. */
  readonly downloads: Map<string, Map<string, string>>
  /** By offer id, values. */
  readonly uploaded: Map<string, Set<string>>
  readonly withdrawn: Map<string, Set<string>>
  /** Units sent as replacements: from stock as a count by offer id; entered ones by value. */
  readonly replacedFromStock: Map<string, number>
  readonly typedReplacements: Set<string>
  /** By offer id. */
  readonly terms: Map<string, { price: Cents; status: 'active' | 'paused' }>
  /** Amounts by reference; no two are equal. */
  readonly topUps: Map<string, { partner: number; mode: Mode; amount: Cents }>
  /** By key id. */
  readonly disputes: Map<string, DisputeFacts>
  /** Names by product id. */
  readonly products: Map<string, string>
  /** API key ids by partner. */
  readonly issued: { partner: number; id: string }[]
  repeatable: Repeatable[]
  /** The latest time that the service reported, in milliseconds. */
  clock: number
}

export function emptyBook(accounts: Accounts): Book {
  const offers = accounts.sellers.flatMap(({ offers }) => offers)
  return {
    accounts,
    orders: new Map(),
    downloads: new Map(),
    uploaded: new Map(offers.map(({ id }) => [id, new Set<string>()])),
    withdrawn: new Map(offers.map(({ id }) => [id, new Set<string>()])),
    replacedFromStock: new Map(offers.map(({ id }) => [id, 0])),
    typedReplacements: new Set(),
    terms: new Map(),
    topUps: new Map(),
    disputes: new Map(),
    products: new Map(),
    issued: [],
    repeatable: [],
    clock: 0,
  }
}

/** A value that must be in a map of the book. */
export function requireKnown<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key)
  if (value === undefined) throw new Error(`${String(key)} is not in the book`)
  return value
}
