/**
 * Orders: the checks of Decision 7 from DUPLICATE_EXTERNAL_ID on, acceptance, delivery and refunds
 * (Decisions 5, 6, 14 to 16, 18).
 */
import type { ContentType, Mode } from '../../../server/api/schemas/enums.ts'
import type {
  Delivered,
  Line,
  Model,
  Movement,
  Order,
  Partner,
  Product,
  Reserved,
  Sale,
  Unit,
} from './state.ts'
import { DAY } from './state.ts'
import { notePrices, putBack, quote } from './supply.ts'

export type Refusal = { status: number; code: string; details?: Record<string, unknown> }
export type Wanted = { product: Product | null; productId: string; qty: number; max: number }
export type Request = { partner: Partner; mode: Mode; externalId: string; lines: Wanted[] }

export function move(
  model: Model,
  partner: Partner,
  mode: Mode,
  type: Movement['type'],
  amount: number,
  orderId: string | null,
): void {
  partner.balance[mode] += amount
  partner.movements[mode].push({
    type,
    amount,
    balanceAfter: partner.balance[mode],
    orderId,
    at: model.now,
  })
}

/** Net of undelivered units (Decision 18). */
export function spent(model: Model, partner: Partner, mode: Mode): number {
  const recent = model.orders.filter(
    (order) =>
      order.partner === partner && order.mode === mode && order.createdAt > model.now - DAY,
  )
  return recent.reduce((sum, order) => sum + order.total - order.refunded, 0)
}

const euros = (cents: number): number => cents / 100

/** The order of a request, not stored yet and without an id; or the reason for its rejection. */
export function place(
  model: Model,
  { partner, mode, externalId, lines }: Request,
): Order | Refusal {
  const before = model.orders.find(
    (order) => order.partner === partner && order.externalId === externalId,
  )
  if (before) return { status: 409, code: 'DUPLICATE_EXTERNAL_ID', details: { orderId: before.id } }
  const asked = lines.flatMap(({ product, qty }) =>
    product === null || product.removed ? [] : [{ product, qty }],
  )
  if (asked.length < lines.length) return { status: 409, code: 'PRODUCT_UNAVAILABLE' }
  const quotes = quote(model, partner, asked)
  const found = quotes.filter((each) => each !== null)
  if (found.length < quotes.length) return { status: 409, code: 'OUT_OF_STOCK' }
  const dear = found.findIndex(({ unitPrice }, index) => unitPrice > (lines[index]?.max ?? 0))
  if (dear >= 0)
    return {
      status: 409,
      code: 'PRICE_CHANGED',
      details: {
        productId: lines[dear]?.productId,
        currentPrice: euros(found[dear]?.unitPrice ?? 0),
      },
    }
  const total = found.reduce((sum, { unitPrice, reserved }) => sum + unitPrice * reserved.length, 0)
  const { perOrderLimit, dailyLimit } = partner
  if (perOrderLimit !== null && total > perOrderLimit)
    return {
      status: 422,
      code: 'ORDER_LIMIT_EXCEEDED',
      details: { limit: euros(perOrderLimit), total: euros(total) },
    }
  if (dailyLimit !== null && spent(model, partner, mode) + total > dailyLimit)
    return { status: 422, code: 'DAILY_LIMIT_EXCEEDED', details: { limit: euros(dailyLimit) } }
  if (total > partner.balance[mode]) return { status: 402, code: 'INSUFFICIENT_BALANCE' }
  const made = found.map(({ unitPrice, reserved }, index): Line => {
    const { product, qty } = asked[index] ?? { product: null, qty: 0 }
    if (product === null) throw new Error('a line without its product')
    const launch =
      product.releaseAt !== null && product.releaseAt > model.now ? product.releaseAt : null
    const times = {
      dueAt: launch ?? model.now,
      giveUpAt: launch === null ? model.now : launch + DAY,
    }
    return {
      product,
      qty,
      unitPrice,
      status: 'processing',
      ...times,
      reserved,
      delivered: [],
      deliveredQty: 0,
    }
  })
  return {
    id: '',
    externalId,
    partner,
    mode,
    status: 'processing',
    total,
    refunded: 0,
    createdAt: model.now,
    completedAt: null,
    firstDownloadedAt: null,
    lines: made,
  }
}

/**
 * Stores an accepted order: its total is charged, its units are reserved; a test order reserves
 * none.
 */
export function accept(model: Model, order: Order): void {
  model.orders.push(order)
  move(model, order.partner, order.mode, 'order_debit', -order.total, order.id)
  if (order.mode === 'test') return
  for (const { offer, unit } of order.lines.flatMap(({ reserved }) => reserved)) {
    offer.stock.splice(offer.stock.indexOf(unit), 1)
    offer.held += 1
  }
  notePrices(model)
}

/** Whether this unit fails; counts it. */
function fails(model: Model, productId: string): boolean {
  const fault = model.faults.find(
    (each) => each.left > 0 && (each.productId === null || each.productId === productId),
  )
  if (!fault) return false
  fault.left -= 1
  return true
}

/** A picture is delivered as its base64, everything else as it was uploaded. */
function inHand(value: string): { contentType: ContentType; value: string } {
  const picture = /^data:(image\/(?:png|jpeg|gif));base64,(.*)$/.exec(value)
  return picture
    ? { contentType: picture[1] as ContentType, value: picture[2] ?? '' }
    : { contentType: 'text/plain', value }
}

function sell(model: Model, order: Order, { offer, unit, price, customerPrice }: Reserved): Sale {
  offer.sold += 1
  offer.held -= 1
  const sale: Sale = {
    offer,
    order,
    unit,
    price,
    customerPrice,
    status: 'pending',
    soldAt: model.now,
    releaseAt: model.now + 7 * DAY,
    releasedAt: null,
    dispute: null,
  }
  model.sales.push(sale)
  return sale
}

/**
 * Delivers the units of a line that don't fail; refunds the others when it is too late to retry.
 */
function deliverLine(model: Model, order: Order, line: Line): void {
  const left: Reserved[] = []
  for (const held of line.reserved) {
    if (fails(model, line.product.id)) left.push(held)
    else {
      line.deliveredQty += 1
      line.delivered.push(
        order.mode === 'test'
          ? madeUp(model)
          : deliveredUnit(model, held.unit, sell(model, order, held)),
      )
    }
  }
  line.reserved = left
  if (left.length === 0) line.status = 'completed'
  else if (model.now < line.giveUpAt) line.dueAt = line.giveUpAt
  else {
    line.status = 'failed'
    line.reserved = []
    if (order.mode === 'live') for (const { offer, unit } of left) putBack(offer, unit)
  }
}

/**
 * Delivers the due units of an order. When none is left, it refunds the missing ones to its partner
 * and finishes the order.
 */
export function deliver(model: Model, order: Order): void {
  for (const line of order.lines)
    if (line.status === 'processing' && line.dueAt <= model.now) deliverLine(model, order, line)
  notePrices(model)
  if (order.lines.some(({ status }) => status === 'processing')) return
  order.refunded = order.lines.reduce(
    (sum, { unitPrice, qty, deliveredQty }) => sum + unitPrice * (qty - deliveredQty),
    0,
  )
  const delivered = order.lines.reduce((sum, { deliveredQty }) => sum + deliveredQty, 0)
  order.status = order.lines.every(({ status }) => status === 'completed')
    ? 'completed'
    : delivered > 0
      ? 'partially_completed'
      : 'failed'
  order.completedAt = model.now
  if (order.refunded > 0)
    move(model, order.partner, order.mode, 'order_refund', order.refunded, order.id)
}

/** A unit of the test mode; the service generates its value. */
const madeUp = (model: Model): Delivered => ({
  id: null,
  value: null,
  contentType: 'text/plain',
  at: model.now,
  sale: null,
  unit: null,
  claimed: false,
})

export const deliveredUnit = (model: Model, unit: Unit, sale: Sale): Delivered => ({
  id: null,
  ...inHand(unit.value),
  at: model.now,
  sale,
  unit,
  claimed: false,
})
