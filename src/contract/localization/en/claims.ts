/** Messages about claims. */
export const claimMessages = {
  'claims.credited': 'Its price was credited back to the balance.',
  'claims.filed': 'Claim filed',
  'claims.key': 'Key {keyId} of order {orderId}',
  'claims.rejected': 'Support rejected it; no money moved.',
  'claims.replaced': 'A replacement key was delivered.',
  'claims.sent-to-support': 'Claim sent to support',
  'claims.settled':
    'Claim {outcome, select, replaced {replaced} refunded {credited} other {rejected}}',
  'claims.settled-name':
    'Claim {outcome, select, replaced {replaced} refunded {credited} other {rejected}}: {name}',
} as const
