import type { Cents } from '../../../api/money.ts'
import type { saleStatuses } from '../../../api/schemas/enums.ts'

export type SaleStatus = (typeof saleStatuses)[number]

/** A sale with its offer, product and order, as shown by Decision 30. */
export interface SaleRecord {
  no: number
  id: string
  sellerId: string
  offerId: string
  offerNo: number
  productId: string
  name: string
  partnerId: string
  orderId: string
  orderNo: number
  line: number
  keyId: string
  /** The seller's payout. */
  price: Cents
  customerPrice: Cents
  /** The partner's price. */
  unitPrice: Cents
  status: SaleStatus
  /** Whether an unresolved dispute holds its release. */
  held: boolean
  soldAt: number
  releaseAt: number
  releasedAt: number | null
  keySha256: Uint8Array
}

/** The releases of one UTC day. */
export interface DayOfReleases {
  date: string
  amount: Cents
  sales: number
}

export interface SaleRepository {
  findByNo(no: number): SaleRecord | undefined
  /** The sale of a unit. */
  ofUnit(orderUnitNo: number): SaleRecord | undefined
  /** Newest first, then by id. */
  page(sellerId: string, offset: number, limit: number): SaleRecord[]
  count(sellerId: string): number
  /** Pending sales that aren't held, by day of release, oldest first. */
  upcoming(sellerId: string): DayOfReleases[]
  /** Pending sales that aren't held and due at or before `at`, by due time, at most `limit`. */
  due(at: number, limit: number): SaleRecord[]
  nextReleaseAt(): number | null
  /** Pending → released. */
  release(no: number, at: number): void
  /** Pending or released → cancelled. */
  cancel(no: number): void
  setHeld(no: number, held: boolean): void
}
