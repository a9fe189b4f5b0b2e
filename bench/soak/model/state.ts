/**
 * A plain model of the service next to the real one: the promises of the documents, in lists and
 * numbers. Money is in cents, times are in milliseconds of the service's clock. It shares no rule
 * with the backend, only the contract's names.
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
} from '../../../server/api/schemas/enums.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export type Product = {
  id: string
  productType: ProductType
  deliveryType: DeliveryType
  removed: boolean
  supplyUnknown: boolean
  /** Null: out of stock. */
  releaseAt: number | null
  /** The last customer price; 0 if there never was one. */
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

/** One uploaded key. The lower `age` of two was uploaded first. */
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
  /** Units that an order has reserved and not delivered. */
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
 * A unit delivered to a partner; `value` as the partner reads it. `id`, and the value of a
 * generated unit, are known after its download.
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
  /** The earliest time of its delivery, and the end of its retries. */
  dueAt: number
  giveUpAt: number
  /** Units that are neither delivered nor refunded. */
  reserved: Reserved[]
  /** Including replacements. */
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

/** A stored response to a request with an Idempotency-Key. */
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

/** Saves the current state, so that it can be restored. */
export function save(model: Model): void {
  const { saved: _, ...state } = model
  model.saved = structuredClone(state)
}

export function restore(model: Model): void {
  if (model.saved !== null) Object.assign(model, structuredClone(model.saved))
}

/**
 * `amount * parts / whole` rounded half up; all three are integers whose products a double
 * represents exactly.
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

/** The element selected by a number; undefined for an empty list. */
export const pick = <T>(list: readonly T[], number: number): T | undefined =>
  list[number % list.length]
