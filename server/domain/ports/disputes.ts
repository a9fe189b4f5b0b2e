import type {
  ContentType,
  disputeStatuses,
  messageAuthors,
  resolutionTypes,
} from '../../api/words.ts'

export type DisputeStatus = (typeof disputeStatuses)[number]
export type MessageAuthor = (typeof messageAuthors)[number]
export type ResolutionType = (typeof resolutionTypes)[number]

/** A dispute with what it is about, as Decision 31 shows it. */
export interface DisputeRecord {
  no: number
  id: string
  sellerId: string
  saleNo: number
  saleId: string
  offerId: string
  orderId: string
  /** The delivered unit that is said not to work, by its public id. */
  keyId: string
  productId: string
  name: string
  keySha256: Uint8Array
  reason: string
  status: DisputeStatus
  openedAt: number
  updatedAt: number
  /**
   * When it escalates by itself; null once the seller answered the last customer message, and when
   * it is no longer open.
   */
  escalatesAt: number | null
  resolution: ResolutionType | null
  resolvedAt: number | null
}

export interface NewDispute {
  id: string
  saleNo: number
  sellerId: string
  orderUnitNo: number
  keySha256: Uint8Array
  reason: string
  openedAt: number
  escalatesAt: number
}

/** `value` is base64. */
export interface Attachment {
  contentType: ContentType
  value: string
}

export interface MessageRecord {
  id: string
  author: MessageAuthor
  body: string
  createdAt: number
  attachments: Attachment[]
}

/** A delivered unit of an order, as a claim names it. */
export interface ClaimedUnit {
  no: number
  deliveredAt: number
  /** As uploaded. */
  value: string
}

export interface DisputeFilter {
  sellerId?: string
  status?: DisputeStatus | undefined
}

export interface DisputeRepository {
  /** Opens a dispute; gives it its number. */
  insert(dispute: NewDispute): number
  find(id: string): DisputeRecord | undefined
  /** Newest first, then by id. */
  page(filter: DisputeFilter, offset: number, limit: number): DisputeRecord[]
  count(filter: DisputeFilter): number
  claimedUnit(orderNo: number, keyId: string): ClaimedUnit | undefined
  isClaimed(orderUnitNo: number): boolean
  /** The sale that a replacement stands in for. */
  saleOfReplacement(orderUnitNo: number): number | undefined
  addMessage(disputeNo: number, message: MessageRecord): void
  /** Oldest first. */
  messages(disputeNo: number): MessageRecord[]
  /** Writes status and when it escalates by itself. */
  progress(
    no: number,
    state: { status: 'open' | 'escalated'; escalatesAt: number | null; updatedAt: number },
  ): void
  /** Ends a dispute; `replacementNo` is the unit that was sent. */
  resolve(
    no: number,
    end: { resolution: ResolutionType; at: number; replacementNo: number | null },
  ): void
  /** Ids of open disputes that escalate at or before `at`, by time, at most `limit`. */
  due(at: number, limit: number): string[]
  nextEscalationAt(): number | null
}
