import type { Order } from '../../api/schemas/order.ts'
import { CURRENCY, type FailureCode } from '../../api/schemas/enums.ts'
import { instantText, instantTextOrNull } from '../context.ts'
import type { OrderRecord } from '../ports/ordering/orders.ts'

/** An order as the Partner API returns it. */
export function orderView(order: OrderRecord): Order {
  const { id, externalId, mode, status, total, refunded } = order
  return {
    id,
    externalId,
    mode,
    status,
    currency: CURRENCY,
    total,
    refunded,
    createdAt: instantText(order.createdAt),
    completedAt: instantTextOrNull(order.completedAt),
    failure: failureOf(order),
    items: order.lines.map(
      ({
        line,
        productId,
        name,
        deliveryType,
        qty,
        unitPrice,
        status: lineStatus,
        deliveredQty,
      }) => ({
        line,
        productId,
        name,
        deliveryType,
        qty,
        unitPrice,
        status: lineStatus,
        deliveredQty,
      }),
    ),
    firstDownloadedAt: instantTextOrNull(order.firstDownloadedAt),
  }
}

/** Why an order isn't complete (Decision 15). */
function failureOf(order: OrderRecord): { code: FailureCode; message: string } | null {
  if (order.status === 'failed') {
    return {
      code: 'DELIVERY_FAILED',
      message: 'No unit could be delivered; the total was credited back.',
    }
  }
  if (order.status === 'partially_completed') {
    return {
      code: 'PARTIAL_DELIVERY',
      message: 'Some units could not be delivered; they were credited back.',
    }
  }
  return null
}
