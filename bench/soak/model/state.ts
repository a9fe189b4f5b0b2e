/**
 * A plain picture of the service, kept beside the real one: what the documents promise, in lists
 * and numbers. Money is cents, times are milliseconds of the service's clock. It shares no rule
 * with the backend; only the words are the contract's.
 */
import type {
  CommissionClass,
  ContentType,
  DeliveryType,
  LedgerEntryType,
  LineStatus,
  Mode,
  OfferStatus,
  OrderStatus,
  ProductType,
} from '../../../server/api/words.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export type Product = {
  id: string
  productType: ProductType
  deliveryType: DeliveryType
  removed: boolean
  supplyUnknown: boolean
  /** Null: it is out. */
  releaseAt: number | null
  /** The customer price that was seen last; 0 where there never was one. */
  lastPrice: number
}

/** `percent` in hundredths by class. */
export type Seller = { id: string; key: string; percent: Record<CommissionClass, number> }

export type Movement = {
  type: LedgerEntryType
  amount: number
  balanceAfter: number
  orderId: string | null
  at: number
}

export type Partner = {
  id: string
  keys: Record<Mode, string>
  /** Thousandths. */
  factor: number
  perOrderLimit: number | null
  dailyLimit: number | null
  balance: Record<Mode, number>
  /** Oldest first. */
  movements: Record<Mode, Movement[]>
  references: { text: string; mode: Mode; used: boolean }[]
}

/** One key as uploaded. `age` tells which of two was there first. */
export type Unit = { value: string; age: number }

export type Offer = {
  id: string
  seller: Seller
  product: Product
  price: number
  customerPrice: number
  status: OfferStatus
  priceSince: number
  stock: Unit[]
  sold: number
  /** Units that an order holds and has not delivered. */
  held: number
}

export type Reserved = { offer: Offer; unit: Unit; price: number; customerPrice: number }

export type Sale = {
  offer: Offer
  order: Order
  unit: Unit
  price: number
  customerPrice: number
  status: 'pending' | 'released' | 'cancelled'
  soldAt: number
  releaseAt: number
  releasedAt: number | null
  dispute: Dispute | null
}

/**
 * A unit in a partner's hands; `value` as the partner reads it. `id`, and the value of a made-up
 * unit, are known once it was downloaded.
 */
export type Delivered = {
  id: string | null
  value: string | null
  contentType: ContentType
  at: number
  sale: Sale | null
  unit: Unit | null
  claimed: boolean
}

export type Line = {
  product: Product
  qty: number
  unitPrice: number
  status: LineStatus
  /** When it may be delivered first, and until when that is tried. */
  dueAt: number
  giveUpAt: number
  /** Units that are neither delivered nor given back. */
  reserved: Reserved[]
  /** Replacements too. */
  delivered: Delivered[]
  deliveredQty: number
}

export type Order = {
  id: string
  externalId: string
  partner: Partner
  mode: Mode
  status: OrderStatus
  total: number
  refunded: number
  createdAt: number
  completedAt: number | null
  firstDownloadedAt: number | null
  lines: Line[]
}

export type Author = 'customer' | 'seller' | 'support'

export type Dispute = {
  id: string
  sale: Sale
  line: Line
  unit: Unit
  keyId: string
  status: 'open' | 'escalated' | 'resolved'
  reason: string
  openedAt: number
  escalatesAt: number | null
  resolution: { type: 'replaced' | 'refunded' | 'rejected'; at: number } | null
  messages: { author: Author; body: string; at: number; attachments: number }[]
}

/** A stored answer to a request that carried an Idempotency-Key. */
export type Repeat = { body: string; at: number; status: number; text: string }

/** Units of a product (null: of any) that will fail. */
export type DeliveryFault = { productId: string | null; left: number }

export type Model = {
  now: number
  products: Product[]
  sellers: Seller[]
  partners: Partner[]
  offers: Offer[]
  orders: Order[]
  sales: Sale[]
  disputes: Dispute[]
  repeats: Map<string, Repeat>
  /** Values by product that would be duplicates. */
  seen: Map<string, Set<string>>
  faults: DeliveryFault[]
  saved: Omit<Model, 'saved'> | null
}

export const emptyModel = (now: number): Model => ({
  now,
  products: [],
  sellers: [],
  partners: [],
  offers: [],
  orders: [],
  sales: [],
  disputes: [],
  repeats: new Map(),
  seen: new Map(),
  faults: [],
  saved: null,
})

/** Keeps the present state, to come back to. */
export function save(model: Model): void {
  const { saved: _, ...state } = model
  model.saved = structuredClone(state)
}

export function restore(model: Model): void {
  if (model.saved !== null) Object.assign(model, structuredClone(model.saved))
}

/**
 * `amount * parts / whole` rounded half up; all three are integers that products of doubles carry
 * exactly.
 */
const share = (amount: number, parts: number, whole: number): number =>
  Math.floor((2 * amount * parts + whole) / (2 * whole))

/** Decision 1. */
export const partnerPrice = (price: number, partner: Partner): number =>
  share(price, partner.factor, 1000)

/** Decision 3. */
export function commissionClass({ productType, deliveryType }: Product): CommissionClass {
  if (productType === 'subscription') return 'special_subscriptions'
  return deliveryType === 'account' || deliveryType === 'gift' ? 'accounts_and_gifts' : 'keys'
}

export const customerPrice = (price: number, seller: Seller, product: Product): number =>
  price + share(price, seller.percent[commissionClass(product)], 10_000)

/** The element that a number means; undefined of an empty list. */
export const pick = <T>(list: readonly T[], number: number): T | undefined =>
  list[number % list.length]
