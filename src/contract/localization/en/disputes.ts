/** Messages about disputes. */
export const disputeMessages = {
  'disputes.dispute': '{disputeId}',
  'disputes.dispute-with-secrets': '{disputeId}, with secrets',
  'disputes.evidence-exported': 'Evidence exported',
  'disputes.refunded': 'Refunded',
  'disputes.replaced-from-stock': 'Replaced from stock',
  'disputes.replaced-with-typed-key': 'Replaced with a typed key',
} as const
