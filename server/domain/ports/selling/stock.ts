import type { ContentType } from '../../../api/schemas/enums.ts'

export interface NewUnit {
  offerNo: number
  /** First 16 bytes of SHA-256 over product and value. Each value counts once per product. */
  fingerprint: Uint8Array
  contentType: ContentType
  /** The trimmed key as uploaded; pictures as their data URI. */
  value: string
  uploadedAt: number
}

export interface StockRepository {
  /** Adds a unit to stock unless its value has been seen before. Returns whether it was added. */
  add(unit: NewUnit): boolean
  /** The oldest units in stock of an offer, at most `count`. */
  oldest(offerNo: number, count: number): { no: number; value: string }[]
  /**
   * Reserves the oldest units in stock of an offer, at most `count`. Their values stay sealed.
   * Returns their numbers, oldest first.
   */
  reserve(offerNo: number, count: number): number[]
  /** Reserved → in stock, when an order could not deliver the unit. */
  unreserve(unitNo: number): void
  sell(unitNo: number): { value: string; contentType: ContentType }
  /**
   * Adds a unit that is sent as a replacement immediately. Null when its value has been seen
   * before.
   */
  addReplacement(unit: NewUnit): number | null
  /** In stock → sent as a replacement. */
  sendReplacement(unitNo: number): void
  /** In stock → withdrawn. The value is deleted and may be uploaded again. */
  withdraw(unitNo: number): void
}
