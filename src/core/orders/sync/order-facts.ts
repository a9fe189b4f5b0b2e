import type { Cents } from '../../../../server/api/money.ts'
import type { ResponseBody } from '../../../../server/api/handlers.ts'
import { instantOf } from '../../mirror/mirror.ts'

/**
 * An order of the service as the mirror stores it: times in milliseconds, amounts in cents, and
 * precomputed fields for the list.
 */
export type OrderFacts = {
  orderId: string
  externalId: string
  status: string
  mode: 'live' | 'test'
  totalCents: Cents
  refundedCents: Cents
  createdAt: number
  completedAt: number | null
  failureCode: string | null
  failureMessage: string | null
  firstDownloadedAt: number | null
  /** 1 if the service reports the first download at all (Decision 20: an additive field). */
  tellsFirstDownload: 0 | 1
  units: number
  deliveredUnits: number
  title: string
  /** Lower-case words for the search. */
  search: string
  readAt: number
  items: {
    line: number
    productId: string
    name: string
    deliveryType: string
    qty: number
    unitCents: Cents
    status: string
    deliveredQty: number
  }[]
}

/** Converts an order of the service (Partner API, Order). `readAt` is the time of the response. */
export function orderFacts(order: ResponseBody<'getOrder'>, readAt: number): OrderFacts {
  const items = order.items.map((item) => ({
    line: item.line,
    productId: item.productId,
    name: item.name,
    deliveryType: item.deliveryType,
    qty: item.qty,
    unitCents: item.unitPrice,
    status: item.status,
    deliveredQty: item.deliveredQty,
  }))
  const [first] = items
  const others = items.length - 1
  return {
    orderId: order.id,
    externalId: order.externalId,
    status: order.status,
    mode: order.mode === 'test' ? 'test' : 'live',
    totalCents: order.total,
    refundedCents: order.refunded,
    createdAt: instantOf(order.createdAt) ?? readAt,
    completedAt: instantOf(order.completedAt),
    failureCode: order.failure?.code ?? null,
    failureMessage: order.failure?.message ?? null,
    firstDownloadedAt: instantOf(order.firstDownloadedAt),
    tellsFirstDownload: order.firstDownloadedAt === undefined ? 0 : 1,
    units: items.reduce((sum, item) => sum + item.qty, 0),
    deliveredUnits: items.reduce((sum, item) => sum + item.deliveredQty, 0),
    title:
      first === undefined
        ? order.externalId
        : others === 0
          ? first.name
          : `${first.name} and ${others} more`,
    search: [order.id, order.externalId, ...items.map((item) => item.name)]
      .join('\n')
      .toLowerCase(),
    readAt,
    items,
  }
}
