/** Messages about claims. */
export const claimMessages = {
  'claims.filed': 'Claim filed',
  'claims.key': 'Key {keyId} of order {orderId}',
  'claims.sent-to-support': 'Claim sent to support',
  'claims.settled':
    'Claim {outcome, select, replaced {replaced} refunded {credited} other {rejected}}',
} as const
