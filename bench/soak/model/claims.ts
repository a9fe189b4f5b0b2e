/** Claims and their results (Decisions 28, 31). */
import { deliveredUnit, move, type Refusal } from './ordering.ts'
import type { Author, Delivered, Dispute, Line, Model, Order, Unit } from './state.ts'
import { DAY, HOUR } from './state.ts'
import { notePrices } from './supply.ts'
import { release } from './time.ts'

const ESCALATION = 72 * HOUR

/**
 * The dispute that a claim opens, not stored yet and without an id; or the rejections that the
 * documents allow.
 */
export function claim(
  model: Model,
  order: Order,
  line: Line,
  unit: Delivered,
  message: string,
  attachments: number,
): Dispute | Refusal[] {
  const refusals: Refusal[] = []
  if (model.now > unit.at + 7 * DAY) refusals.push({ status: 422, code: 'CLAIM_WINDOW_CLOSED' })
  if (unit.claimed) refusals.push({ status: 409, code: 'CLAIM_EXISTS' })
  if (refusals.length > 0) return refusals
  if (unit.sale === null || unit.unit === null || unit.id === null || order.mode === 'test')
    throw new Error('only a unit that was sold can be claimed')
  return {
    id: '',
    sale: unit.sale,
    line,
    unit: unit.unit,
    keyId: unit.id,
    status: 'open',
    reason: message,
    openedAt: model.now,
    escalatesAt: model.now + ESCALATION,
    resolution: null,
    messages: [{ author: 'customer', body: message, at: model.now, attachments }],
  }
}

export function open(model: Model, dispute: Dispute, unit: Delivered): void {
  unit.claimed = true
  dispute.sale.dispute = dispute
  model.disputes.push(dispute)
}

export function say(model: Model, dispute: Dispute, author: Author, body: string): void {
  dispute.messages.push({ author, body, at: model.now, attachments: 0 })
  if (dispute.status !== 'open') return
  if (author === 'customer') dispute.escalatesAt = model.now + ESCALATION
  if (author === 'seller') dispute.escalatesAt = null
}

/** A resolved dispute no longer holds its sale: an overdue sale is released now. */
function resolve(model: Model, dispute: Dispute, type: 'replaced' | 'refunded' | 'rejected'): void {
  dispute.status = 'resolved'
  dispute.escalatesAt = null
  dispute.resolution = { type, at: model.now }
  const { sale } = dispute
  if (sale.status === 'pending' && sale.releaseAt <= model.now) release(model, sale)
}

export function replace(
  model: Model,
  dispute: Dispute,
  key: { unit: Unit; fromStock: boolean },
): void {
  const { offer } = dispute.sale
  if (key.fromStock) offer.stock.shift()
  else model.seen.get(offer.product.id)?.add(key.unit.value)
  dispute.line.delivered.push(deliveredUnit(model, key.unit, dispute.sale))
  resolve(model, dispute, 'replaced')
  notePrices(model)
}

export function refund(model: Model, dispute: Dispute): void {
  const { order } = dispute.sale
  dispute.sale.status = 'cancelled'
  move(model, order.partner, order.mode, 'claim_credit', dispute.line.unitPrice, order.id)
  resolve(model, dispute, 'refunded')
}

export const reject = (model: Model, dispute: Dispute): void => resolve(model, dispute, 'rejected')
