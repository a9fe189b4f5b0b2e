/** Messages about offers. */
export const offerMessages = {
  'offers.best-price':
    'The best price is {best, number, ::.00 scale/0.01}, yours is {own, number, ::.00 scale/0.01}.',
  'offers.bulk-done': '{title}: {done, number} done',
  'offers.bulk-done-once': 'Each change was sent once.',
  'offers.bulk-failed': '{title}: {failed, number} of {total, number} failed',
  'offers.bulk-failed-lines': 'Each failed line shows its reason. The other changes are done.',
  'offers.bulk-skipped':
    '{skipped, plural, one {# offer} other {# offers}} changed meanwhile and stayed as you or another tool set them.',
  'offers.bulk-started': '{offers, plural, one {# offer} other {# offers}}, started',
  'offers.cheaper-seller': 'Another seller is cheaper.',
  'offers.empty': 'Empty: {offer}',
  'offers.empty-effect': 'It can’t sell until you add keys.',
  'offers.empty-many': 'Empty: {offers, plural, one {# offer} other {# offers}}',
  'offers.keys-in-vault': '{keys, number} of {offer} ({offerId}), saved in the vault',
  'offers.keys-withdrawn': 'Keys withdrawn',
  'offers.lost-lead': 'Lost the lead on {offer}',
  'offers.lost-lead-many': 'Lost the lead on {offers, plural, one {# offer} other {# offers}}',
  'offers.low-stock': 'Low stock: {offer}',
  'offers.low-stock-left': '{stock, plural, one {# key is} other {# keys are}} left.',
  'offers.low-stock-many': 'Low stock: {offers, plural, one {# offer} other {# offers}}',
  'offers.names': '{names}{more, plural, =0 {} other { and # more}}.',
  'offers.withdrawn-key': 'Key {number, number} of a withdrawal from {offer}',
  'offers.withdrawn-key-revealed': 'Key revealed',
  'offers.withdrawn-keys-exported': 'Keys exported',
  'offers.withdrawn-keys-plain':
    '{keys, plural, one {# key} other {# keys}} withdrawn from {offer}, in plain text',
} as const
