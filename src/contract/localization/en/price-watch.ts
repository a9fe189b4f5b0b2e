/** Messages about rules and the prices they send. */
export const priceWatchMessages = {
  'price-watch.prices': 'Prices',
  'price-watch.rule': 'Price rule',
  'price-watch.rule-auto': '{rule}: auto-apply on',
  'price-watch.rule-off': '{rule}: off',
  'price-watch.rule-proposes': '{rule}: proposes',
  'price-watch.sending-resumed': 'sending resumed',
  'price-watch.sending-stopped': 'sending stopped{unsent, plural, =0 {} other {, # not sent}}',
} as const
