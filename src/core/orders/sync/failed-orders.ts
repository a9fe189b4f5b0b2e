import { localized } from '../../../contract/localization/localized.ts'
import type { OrdersContext } from '../context.ts'
import type { OrderFacts } from './order-facts.ts'

/** If more orders fail together, one notification counts them instead of naming each. */
const MAX_NAMED = 3
type NotifiedOrder = Pick<
  OrderFacts,
  'orderId' | 'externalId' | 'status' | 'units' | 'deliveredUnits' | 'refundedCents' | 'title'
>

/**
 * Whether an order with the previous status `before` has just finished without all of its units. An
 * order without a previous status may have finished long ago.
 */
export const hasJustFailed = (
  before: string | undefined,
  { status }: Pick<OrderFacts, 'status'>,
): boolean => before === 'processing' && (status === 'failed' || status === 'partially_completed')

/**
 * Notifies people about orders that have just finished without all of their units, and that the
 * missing ones were credited back (Decision 15).
 */
export function notifyFailed(
  notices: OrdersContext['notices'],
  accountId: string,
  orders: readonly NotifiedOrder[],
): void {
  const kind = 'order-failed' as const
  if (orders.length > MAX_NAMED) {
    notices.notify({
      accountId,
      kind,
      title: localized('orders.failed-many', { orders: orders.length }),
      text: localized('orders.failed-many-credited'),
      path: '/orders',
    })
    return
  }
  for (const {
    orderId,
    externalId,
    status,
    units,
    deliveredUnits,
    refundedCents,
    title,
  } of orders) {
    notices.notify({
      accountId,
      kind,
      title:
        status === 'failed'
          ? localized('orders.failed', { externalId })
          : localized('orders.partially-delivered', { externalId }),
      text: localized('orders.failed-credited', {
        title,
        delivered: deliveredUnits,
        units,
        credited: refundedCents,
      }),
      path: `/orders/${encodeURIComponent(orderId)}`,
    })
  }
}
