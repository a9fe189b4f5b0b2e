import type {
  ContentType,
  disputeStatuses,
  messageAuthors,
  resolutionTypes,
} from '../../../api/schemas/enums.ts'

export type DisputeStatus = (typeof disputeStatuses)[number]
export type MessageAuthor = (typeof messageAuthors)[number]
export type ResolutionType = (typeof resolutionTypes)[number]

/** A dispute with its sale and product, as shown by Decision 31. */
export interface DisputeRecord {
  no: number
  id: string
  sellerId: string
  saleNo: number
  saleId: string
  offerId: string
  orderId: string
  /** The public id of the delivered unit that is reported as not working. */
  keyId: string
  productId: string
  name: string
  keySha256: Uint8Array
  reason: string
  status: DisputeStatus
  openedAt: number
  updatedAt: number
  /**
   * When it escalates automatically. Null once the seller has answered the last customer message,
   * and when it is no longer open.
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

/** A delivered unit of an order, as named by a claim. */
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
  /** Inserts a dispute and returns its number. */
  insert(dispute: NewDispute): number
  find(id: string): DisputeRecord | undefined
  /** Newest first, then by id. */
  page(filter: DisputeFilter, offset: number, limit: number): DisputeRecord[]
  count(filter: DisputeFilter): number
  claimedUnit(orderNo: number, keyId: string): ClaimedUnit | undefined
  isClaimed(orderUnitNo: number): boolean
  /** The number of the sale whose unit this unit replaced. */
  saleOfReplacement(orderUnitNo: number): number | undefined
  addMessage(disputeNo: number, message: MessageRecord): void
  /** Oldest first. */
  messages(disputeNo: number): MessageRecord[]
  /** Updates the status and the time of automatic escalation. */
  progress(
    no: number,
    state: { status: 'open' | 'escalated'; escalatesAt: number | null; updatedAt: number },
  ): void
  /** Resolves a dispute. `replacementNo` is the unit that was sent. */
  resolve(
    no: number,
    end: { resolution: ResolutionType; at: number; replacementNo: number | null },
  ): void
  /** Ids of open disputes that escalate at or before `at`, by time, at most `limit`. */
  due(at: number, limit: number): string[]
  nextEscalationAt(): number | null
}
