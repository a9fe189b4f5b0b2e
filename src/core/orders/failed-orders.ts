import { cents, formatEuros } from '../../../server/api/money.ts'
import type { CoreContext } from '../context.ts'
import type { OrderFacts } from './order-facts.ts'

/** Told of more at once are counted, not named. */
const NAMED = 3
type Told = Pick<
  OrderFacts,
  'orderId' | 'externalId' | 'status' | 'units' | 'deliveredUnits' | 'refundedCents' | 'title'
>

/**
 * Whether an order that was `before` has just ended without all of its units; one that was never
 * seen before may have ended long ago.
 */
export const hasFailed = (
  before: string | undefined,
  { status }: Pick<OrderFacts, 'status'>,
): boolean => before === 'processing' && (status === 'failed' || status === 'partially_completed')

/**
 * Tells people of orders that have just ended without all of their units, and that what is missing
 * was credited back (Decision 15).
 */
export function tellFailed(
  notices: CoreContext['notices'],
  accountId: string,
  orders: readonly Told[],
): void {
  const kind = 'order-failed' as const
  if (orders.length > NAMED) {
    notices.notify({
      accountId,
      kind,
      title: `${orders.length} orders were not delivered whole`,
      text: 'What is missing was credited back to the balance.',
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
          ? `Order failed: ${externalId}`
          : `Order delivered in part: ${externalId}`,
      text: `${title}: ${deliveredUnits} of ${units} delivered. EUR ${formatEuros(cents(refundedCents))} came back to the balance.`,
      path: `/orders/${encodeURIComponent(orderId)}`,
    })
  }
}
