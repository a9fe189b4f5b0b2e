/** What moved a partner's balance, in words. */
export const movementWords: Record<string, string> = {
  top_up: 'Top-up',
  order_debit: 'Order',
  order_refund: 'Credited back, undelivered',
  claim_credit: 'Credited back, claim',
  reset: 'Balance reset',
}
