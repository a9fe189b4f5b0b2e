/** Messages about orders. */
export const orderMessages = {
  'orders.key': 'Key {keyId} of order {orderId}, by {user}',
  'orders.key-link-opened': 'Key link opened',
  'orders.key-revealed': 'Key revealed',
  'orders.keys': '{keys, plural, one {# key} other {# keys}} of order {orderId}, by {user}',
  'orders.keys-copied': 'Keys copied',
  'orders.keys-copied-with-instructions': 'Keys copied with instructions',
  'orders.keys-downloaded': 'Keys downloaded',
  'orders.keys-exported': 'Keys exported',
} as const
