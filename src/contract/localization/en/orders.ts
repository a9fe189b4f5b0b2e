/** Messages about orders. */
export const orderMessages = {
  'orders.failed': 'Order failed: {externalId}',
  'orders.failed-credited': `{title}: {delivered, number} of {units, number} delivered. EUR {credited, number, ::.00 \
scale/0.01} was credited back to the balance.`,
  'orders.failed-many':
    '{orders, plural, one {# order was} other {# orders were}} delivered incompletely',
  'orders.failed-many-credited': 'The missing units were credited back to the balance.',
  'orders.key': 'Key {keyId} of order {orderId}, by {user}',
  'orders.key-link-opened': 'Key link opened',
  'orders.key-revealed': 'Key revealed',
  'orders.keys': '{keys, plural, one {# key} other {# keys}} of order {orderId}, by {user}',
  'orders.keys-copied': 'Keys copied',
  'orders.keys-copied-with-instructions': 'Keys copied with instructions',
  'orders.keys-downloaded': 'Keys downloaded',
  'orders.keys-exported': 'Keys exported',
  'orders.keys-handed-over': '{keys, plural, one {# key} other {# keys}} marked as handed over',
  'orders.keys-not-handed-over':
    'Mark “handed over” changed back on {keys, plural, one {# key} other {# keys}}',
  'orders.note': 'Note: {note}',
  'orders.partially-delivered': 'Order partially delivered: {externalId}',
  'orders.rejected': 'Order rejected: {externalId}',
  'orders.rejected-why': '{title}. {reason}',
} as const
