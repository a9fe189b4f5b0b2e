import { ApiError, type FieldProblem, validationError } from '../../api/errors.ts'
import type { BodyOf, InputParts } from '../../api/handlers.ts'
import type { Context } from '../context.ts'
import { keySha256, pictureTypeOf } from '../stock/key-rules.ts'
import { reachCrashPoint } from '../crash-points.ts'
import type {
  Attachment,
  ClaimedUnit,
  DisputeRecord,
  DisputeRepository,
  MessageAuthor,
  MessageRecord,
} from '../ports/selling/disputes.ts'
import type { SaleRecord } from '../ports/selling/sales.ts'
import type { Repositories } from '../ports/repositories.ts'
import type { EarningReleases } from '../ledger/earning-releases.ts'
import { checkUnresolved, disputeOf, writeMessage } from './dispute-records.ts'
import {
  createSupportDecisions,
  type DisputeChanged,
  type SupportDecisions,
} from './support-decisions.ts'
import { claimUntilOf, ESCALATES_AFTER_MS, isClaimable } from '../../api/limits.ts'

export interface Disputes extends SupportDecisions {
  /** The seller's own dispute. NOT_FOUND when it belongs to another seller. */
  own(sellerId: string, id: string): DisputeRecord
  /** Any dispute, for the dashboard. NOT_FOUND when it doesn't exist. */
  any(id: string): DisputeRecord
  /**
   * Opens a dispute about a delivered unit (POST /dashboard/claims). The earnings of its sale are
   * held until it is resolved.
   */
  claim(claim: BodyOf<'createClaim'>, at: number): DisputeRecord
  /** The problems of a claim's own fields, also of a claim that has other invalid ones. */
  claimProblems(claim: InputParts<'createClaim'>['body']): FieldProblem[]
  /** Adds a message. DISPUTE_RESOLVED when the dispute is over. */
  addMessage(dispute: DisputeRecord, author: MessageAuthor, body: string, at: number): MessageRecord
}

/** The sale of a unit. For a replacement, the sale of the unit that it replaced. */
function saleOf({ disputes, sales }: Repositories, orderUnitNo: number): SaleRecord {
  const replaced = disputes.saleOfReplacement(orderUnitNo)
  const sale = replaced === undefined ? sales.ofUnit(orderUnitNo) : sales.findByNo(replaced)
  if (!sale) throw new Error(`unit ${orderUnitNo} was delivered without a sale`)
  return sale
}

const ofTestOrder: FieldProblem = { field: 'orderId', message: 'must not be a test order' }
const noPicture: FieldProblem = { field: 'screenshot', message: 'must be a PNG, JPEG or GIF' }

/** The delivered unit that a claim is about. Throws the errors of POST /dashboard/claims. */
function claimableUnit(
  store: Repositories,
  { orderId, keyId }: BodyOf<'createClaim'>,
  at: number,
): ClaimedUnit {
  const order = store.orders.find(orderId)
  if (!order) throw new ApiError('NOT_FOUND', 'Order not found.')
  if (order.mode === 'test') throw validationError(ofTestOrder)
  const unit = store.disputes.claimedUnit(order.no, keyId)
  if (!unit) throw new ApiError('NOT_FOUND', 'This order has no such key.')
  if (store.disputes.isClaimed(unit.no)) throw new ApiError('CLAIM_EXISTS')
  if (!isClaimable(claimUntilOf(unit.deliveredAt), at)) throw new ApiError('CLAIM_WINDOW_CLOSED')
  return unit
}

/**
 * The dispute's progress after a message. An open dispute escalates when its customer waits too long
 * for the seller; a message from support doesn't change how long that is.
 */
export function afterMessage(
  { status, escalatesAt }: DisputeRecord,
  author: MessageAuthor,
  at: number,
): Parameters<DisputeRepository['progress']>[1] {
  if (status !== 'open') return { status: 'escalated', escalatesAt: null, updatedAt: at }
  const waits = { customer: at + ESCALATES_AFTER_MS, seller: null, support: escalatesAt }
  return { status, escalatesAt: waits[author], updatedAt: at }
}

/**
 * Claims and their messages (Decision 31). dispute-settlement.ts settles them.
 *
 * @param changed is called in the transaction of each message and escalation
 */
export function createDisputes(
  context: Context,
  releases: EarningReleases,
  changed: DisputeChanged = () => {},
): Disputes {
  const { store, ids } = context
  return {
    any: (id) => disputeOf(store, id),
    own(sellerId, id) {
      const dispute = store.disputes.find(id)
      if (!dispute || dispute.sellerId !== sellerId)
        throw new ApiError('NOT_FOUND', 'Dispute not found.')
      return dispute
    },
    claimProblems(claim) {
      const { orderId, screenshot } = claim ?? {}
      const problems: FieldProblem[] = []
      if (orderId != null && store.orders.find(orderId)?.mode === 'test') problems.push(ofTestOrder)
      if (screenshot != null && pictureTypeOf(Buffer.from(screenshot, 'base64')) === null)
        problems.push(noPicture)
      return problems
    },
    claim(claim, at) {
      const { message, screenshot } = claim
      const attachments = screenshot === undefined ? [] : [screenshotOf(screenshot)]
      const unit = claimableUnit(store, claim, at)
      return store.transaction(() => {
        const sale = saleOf(store, unit.no)
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
        writeMessage(context, no, 'customer', message, at, attachments)
        reachCrashPoint('claim.opened')
        releases.hold(sale)
        return disputeOf(store, id)
      })
    },
    addMessage: ({ id }, author, body, at) =>
      store.transaction(() => {
        const dispute = disputeOf(store, id)
        checkUnresolved(dispute)
        const message = writeMessage(context, dispute.no, author, body, at)
        reachCrashPoint('dispute.said')
        store.disputes.progress(dispute.no, afterMessage(dispute, author, at))
        changed(id, at)
        return message
      }),
    ...createSupportDecisions(context, releases, changed),
  }
}

/** A screenshot of the error: PNG, JPEG or GIF, recognized by its first bytes. */
function screenshotOf(value: string): Attachment {
  const bytes = Buffer.from(value, 'base64')
  const contentType = pictureTypeOf(bytes)
  if (contentType === null) throw validationError(noPicture)
  return { contentType, value: bytes.toString('base64') }
}
