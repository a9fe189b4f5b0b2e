/** Labels of the movements of a partner's balance. */
export const movementLabels: Record<string, string> = {
  top_up: 'Top-up',
  order_debit: 'Order',
  order_refund: 'Credited back, undelivered',
  claim_credit: 'Credited back, claim',
  reset: 'Balance reset',
}
