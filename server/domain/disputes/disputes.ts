import { ApiError, validationError } from '../../api/errors.ts'
import type { BodyOf } from '../../api/handlers.ts'
import { type Context, DAY } from '../context.ts'
import { keySha256, pictureTypeOf } from '../stock/key-rules.ts'
import { reachCrashPoint } from '../crash-points.ts'
import type { Attachment, DisputeRecord, MessageAuthor, MessageRecord } from '../ports/disputes.ts'
import type { SaleRecord } from '../ports/sales.ts'
import type { EarningReleases } from '../ledger/earning-releases.ts'
import type { DueWork } from '../clock/due-work.ts'

/** How long after its delivery a unit can be claimed (Partner API "What the service does"). */
const CLAIM_WINDOW_MS = 7 * DAY
/** How long a customer waits for the seller before support takes over (Decision 31). */
const ESCALATES_AFTER_MS = 3 * DAY
const BATCH = 200

export interface Disputes {
  /** The seller's own dispute. NOT_FOUND when it belongs to another seller. */
  own(sellerId: string, id: string): DisputeRecord
  /** Any dispute, for the dashboard. NOT_FOUND when it doesn't exist. */
  any(id: string): DisputeRecord
  /**
   * Opens a dispute about a delivered unit (POST /dashboard/claims). The earnings of its sale are
   * held until it is resolved.
   */
  claim(claim: BodyOf<'createClaim'>, at: number): DisputeRecord
  /** Adds a message. DISPUTE_RESOLVED when the dispute is over. */
  addMessage(dispute: DisputeRecord, author: MessageAuthor, body: string, at: number): MessageRecord
  /**
   * Open → escalated. An escalated dispute stays escalated. A reason becomes a message from
   * support.
   */
  escalate(id: string, reason: string | undefined, at: number): DisputeRecord
  /** Resolves the dispute in the seller's favour. A reason becomes a message from support. */
  reject(id: string, reason: string | undefined, at: number): DisputeRecord
  /** Escalates open disputes whose customer has waited too long, as due work. */
  readonly escalations: DueWork
}

/** Throws DISPUTE_RESOLVED, because a resolution is final. */
export function checkUnresolved({ status }: DisputeRecord): void {
  if (status === 'resolved') throw new ApiError('DISPUTE_RESOLVED')
}

/** Claims and their messages (Decision 31). dispute-settlement.ts settles them. */
export function createDisputes({ store, ids }: Context, releases: EarningReleases): Disputes {
  function any(id: string): DisputeRecord {
    const dispute = store.disputes.find(id)
    if (!dispute) throw new ApiError('NOT_FOUND', 'Dispute not found.')
    return dispute
  }

  /** The sale of a unit. For a replacement, the sale of the unit that it replaced. */
  function saleOf(orderUnitNo: number): SaleRecord {
    const replaced = store.disputes.saleOfReplacement(orderUnitNo)
    const sale =
      replaced === undefined ? store.sales.ofUnit(orderUnitNo) : store.sales.findByNo(replaced)
    if (!sale) throw new Error(`unit ${orderUnitNo} was delivered without a sale`)
    return sale
  }

  function write(
    no: number,
    author: MessageAuthor,
    body: string,
    at: number,
    attachments: Attachment[] = [],
  ): MessageRecord {
    const message = { id: ids.next('msg'), author, body, createdAt: at, attachments }
    store.disputes.addMessage(no, message)
    return message
  }

  /** Adds support's explanation of its decision, if a reason is given. */
  function explain({ no }: DisputeRecord, reason: string | undefined, at: number): void {
    const body = reason?.trim() ?? ''
    if (body !== '') write(no, 'support', body, at)
  }

  function escalate(id: string, reason: string | undefined, at: number): DisputeRecord {
    const dispute = any(id)
    checkUnresolved(dispute)
    explain(dispute, reason, at)
    if (dispute.status === 'escalated' && reason === undefined) return dispute
    store.disputes.progress(dispute.no, { status: 'escalated', escalatesAt: null, updatedAt: at })
    reachCrashPoint('dispute.escalated')
    return any(id)
  }

  return {
    any,
    own(sellerId, id) {
      const dispute = store.disputes.find(id)
      if (!dispute || dispute.sellerId !== sellerId)
        throw new ApiError('NOT_FOUND', 'Dispute not found.')
      return dispute
    },
    claim({ orderId, keyId, message, screenshot }, at) {
      const attachments = screenshot === undefined ? [] : [screenshotOf(screenshot)]
      const order = store.orders.find(orderId)
      if (!order) throw new ApiError('NOT_FOUND', 'Order not found.')
      if (order.mode === 'test')
        throw validationError({ field: 'orderId', message: 'must not be a test order' })
      const unit = store.disputes.claimedUnit(order.no, keyId)
      if (!unit) throw new ApiError('NOT_FOUND', 'This order has no such key.')
      if (store.disputes.isClaimed(unit.no)) throw new ApiError('CLAIM_EXISTS')
      if (at - unit.deliveredAt > CLAIM_WINDOW_MS) throw new ApiError('CLAIM_WINDOW_CLOSED')
      return store.transaction(() => {
        const sale = saleOf(unit.no)
        const id = ids.next('dsp')
        const no = store.disputes.insert({
          id,
          saleNo: sale.no,
          sellerId: sale.sellerId,
          orderUnitNo: unit.no,
          reason: message,
          keySha256: keySha256(unit.value),
          openedAt: at,
          escalatesAt: at + ESCALATES_AFTER_MS,
        })
        write(no, 'customer', message, at, attachments)
        reachCrashPoint('claim.opened')
        releases.hold(sale)
        return any(id)
      })
    },
    addMessage: ({ id }, author, body, at) =>
      store.transaction(() => {
        const dispute = any(id)
        checkUnresolved(dispute)
        const { no, status } = dispute
        const message = write(no, author, body, at)
        reachCrashPoint('dispute.said')
        const waits =
          author === 'customer'
            ? at + ESCALATES_AFTER_MS
            : author === 'seller'
              ? null
              : dispute.escalatesAt
        if (status === 'open')
          store.disputes.progress(no, { status, escalatesAt: waits, updatedAt: at })
        else store.disputes.progress(no, { status: 'escalated', escalatesAt: null, updatedAt: at })
        return message
      }),
    escalate: (id, reason, at) => store.transaction(() => escalate(id, reason, at)),
    reject: (id, reason, at) =>
      store.transaction(() => {
        const dispute = any(id)
        checkUnresolved(dispute)
        explain(dispute, reason, at)
        store.disputes.resolve(dispute.no, { resolution: 'rejected', at, replacementNo: null })
        reachCrashPoint('dispute.rejected')
        const sale = store.sales.findByNo(dispute.saleNo)
        if (sale) releases.resume(sale, at)
        return any(id)
      }),
    escalations: {
      punctual: true,
      nextAt: () => store.disputes.nextEscalationAt(),
      run: (at) =>
        store.transaction(() => {
          for (const id of store.disputes.due(at, BATCH)) escalate(id, undefined, at)
        }),
    },
  }
}

/** A screenshot of the error: PNG, JPEG or GIF, recognized by its first bytes. */
function screenshotOf(value: string): Attachment {
  const bytes = Buffer.from(value, 'base64')
  const contentType = pictureTypeOf(bytes)
  if (contentType === null)
    throw validationError({ field: 'screenshot', message: 'must be a PNG, JPEG or GIF' })
  return { contentType, value: bytes.toString('base64') }
}
