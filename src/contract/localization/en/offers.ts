/** Messages about offers. */
export const offerMessages = {
  'offers.bulk-started': '{offers, plural, one {# offer} other {# offers}}, started',
  'offers.keys-in-vault': '{keys, number} of {offer} ({offerId}), saved in the vault',
  'offers.keys-withdrawn': 'Keys withdrawn',
  'offers.withdrawn-key': 'Key {number, number} of a withdrawal from {offer}',
  'offers.withdrawn-key-revealed': 'Key revealed',
  'offers.withdrawn-keys-exported': 'Keys exported',
  'offers.withdrawn-keys-plain':
    '{keys, plural, one {# key} other {# keys}} withdrawn from {offer}, in plain text',
} as const
