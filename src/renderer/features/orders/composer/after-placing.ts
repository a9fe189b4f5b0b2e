import type { OrderAttempt } from '../../../../contract/order-records.ts'

/**
 * The page that opens after the response to an order; null: none. A response can take 25 s, and a
 * person who has left the composer stays where they are.
 */
export function pageAfterPlacing(
  { state, orderId }: Pick<OrderAttempt, 'state' | 'orderId'>,
  isComposing: boolean,
): string | null {
  if (!isComposing || state === 'refused') return null
  return state === 'placed' && orderId !== null ? `/orders/${orderId}` : '/orders'
}
