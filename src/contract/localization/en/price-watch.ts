/** Messages about rules and the prices they send. */
export const priceWatchMessages = {
  'price-watch.at-floor': 'At its floor: {offer}',
  'price-watch.at-floor-effect': 'Another seller is below your floor. The price stays.',
  'price-watch.at-floor-many': 'At the floor: {offers, plural, one {# offer} other {# offers}}',
  'price-watch.changed-elsewhere': 'Price changed elsewhere: {offer}',
  'price-watch.changed-elsewhere-effect':
    'Another console or the seller panel set the price. Rules leave it unchanged until you review it.',
  'price-watch.changed-elsewhere-many':
    'Prices changed elsewhere: {offers, plural, one {# offer} other {# offers}}',
  'price-watch.daily-limit': 'Daily limit reached: {offer}',
  'price-watch.daily-limit-effect':
    'The price changed as often in 24 hours as the rule allows. It stays until the oldest change is a day old.',
  'price-watch.daily-limit-many':
    'Daily limit reached: {offers, plural, one {# offer} other {# offers}}',
  'price-watch.held': 'Price not sent: {offer}',
  'price-watch.held-effect':
    'The pre-send check or the service rejected the price. The offer is held for an hour.',
  'price-watch.held-many': 'Prices not sent: {offers, plural, one {# offer} other {# offers}}',
  'price-watch.paused': 'Auto-apply is paused',
  'price-watch.paused-reason':
    'Another console or the seller panel is also changing this shop’s prices. Rules only propose until you review.',
  'price-watch.prices': 'Prices',
  'price-watch.rule': 'Price rule',
  'price-watch.rule-auto': '{rule}: auto-apply on',
  'price-watch.rule-expired': 'Rule expired: {rule}',
  'price-watch.rule-expired-effect': 'The rule no longer changes prices. Current prices stay.',
  'price-watch.rule-off': '{rule}: off',
  'price-watch.rule-proposes': '{rule}: proposes',
  'price-watch.sending-resumed': 'sending resumed',
  'price-watch.sending-stopped': 'sending stopped{unsent, plural, =0 {} other {, # not sent}}',
  'price-watch.war': 'Held in a price war: {offer}',
  'price-watch.war-effect':
    'The price changed too often in a short time. The rule pauses for this offer.',
  'price-watch.war-many': 'Held in a price war: {offers, plural, one {# offer} other {# offers}}',
} as const
