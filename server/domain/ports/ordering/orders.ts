import type { Cents } from '../../../api/money.ts'
import type {
  ContentType,
  DeliveryType,
  LineStatus,
  Mode,
  OrderStatus,
} from '../../../api/schemas/enums.ts'

export interface OrderLineRecord {
  line: number
  productId: string
  name: string
  deliveryType: DeliveryType
  qty: number
  unitPrice: Cents
  status: LineStatus
  deliveredQty: number
  /** When it may be delivered next: immediately, or from the release date. */
  dueAt: number
  /** From this time, undelivered units are refunded. */
  giveUpAt: number
}

export interface OrderRecord {
  no: number
  id: string
  partnerId: string
  externalId: string
  mode: Mode
  status: OrderStatus
  total: Cents
  refunded: Cents
  /**
   * The total of all earlier orders of this account and mode. It makes the 24-hour spend a
   * difference of two values.
   */
  spentBefore: number
  createdAt: number
  completedAt: number | null
  /** When delivery checks the order next; null once it is final. */
  dueAt: number | null
  firstDownloadedAt: number | null
  lines: OrderLineRecord[]
}

export type NewOrder = Omit<OrderRecord, 'no'>

/**
 * A unit reserved for or delivered to an order. Test units carry their own value and belong to no
 * offer.
 */
export interface OrderUnitRecord {
  no: number
  id: string
  line: number
  unitNo: number | null
  offerNo: number | null
  price: Cents | null
  customerPrice: Cents | null
  state: 'reserved' | 'delivered' | 'returned'
}

export interface NewOrderUnit extends Omit<OrderUnitRecord, 'no'> {
  orderNo: number
  testValue: string | null
  deliveredAt: number | null
}

export interface DeliveredUnit {
  id: string
  line: number
  productId: string
  deliveryType: DeliveryType
  contentType: ContentType
  value: string
  deliveredAt: number
}

export interface OrderFilter {
  partnerId: string
  mode: Mode
  status?: OrderStatus
  externalId?: string
  /** Inclusive. */
  createdFrom?: number
  /** Exclusive. */
  createdTo?: number
}

export interface NewSale {
  id: string
  sellerId: string
  orderUnitNo: number
  price: Cents
  customerPrice: Cents
  unitPrice: Cents
  soldAt: number
  releaseAt: number
  keySha256: Uint8Array
}

export interface OrderRepository {
  insert(order: NewOrder): OrderRecord
  find(id: string): OrderRecord | undefined
  findByNo(no: number): OrderRecord | undefined
  /** The id of the account's order with this external id, in either mode. */
  idByExternalId(partnerId: string, externalId: string): string | undefined
  /** Newest first, then by id. */
  page(filter: OrderFilter, offset: number, limit: number): OrderRecord[]
  count(filter: OrderFilter): number
  /** Updates status, refunded, completedAt, dueAt and the lines' status, deliveredQty and dueAt. */
  progress(order: OrderRecord): void
  /** Changes only when delivery checks the order next. */
  postpone(no: number, dueAt: number): void
  markDownloaded(no: number, at: number): void
  addUnit(unit: NewOrderUnit): number
  reservedUnits(orderNo: number, line: number): OrderUnitRecord[]
  setUnit(no: number, state: 'delivered' | 'returned', at: number | null): void
  /** By line, then time of delivery. */
  delivered(orderNo: number): DeliveredUnit[]
  addSale(sale: NewSale): void
  /** Processing orders due at or before `at`, by due time, at most `limit`. */
  due(at: number, limit: number): OrderRecord[]
  nextDueAt(): number | null
  /**
   * When the account's newest order in this mode was created, and the total of all its orders.
   * Zeros without any.
   */
  spending(partnerId: string, mode: Mode): { lastAt: number; spent: number }
  /** Totals of the account's orders created at or before an instant. */
  spentUpTo(partnerId: string, mode: Mode, at: number): number
  /** Refunds of orders created after an instant. */
  refundedSince(partnerId: string, mode: Mode, after: number): number
}
