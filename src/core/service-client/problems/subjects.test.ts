import { expect, test } from 'vitest'
import { offlineNext } from './subjects.ts'

test.each([
  [
    'createOrder',
    'Check your connection, then order again. Keydesk never orders later without you.',
  ],
  ['getOrderKeys', 'Check your connection, then download the keys again.'],
  ['createClaim', 'Check your connection, then file the claim again.'],
  ['createTopUp', 'Check your connection, then top up again.'],
  ['deleteOffer', 'Check your connection, then delete the offer again.'],
  ['replaceKey', 'Check your connection, then replace the key again.'],
  ['refundDispute', 'Check your connection, then refund again.'],
  ['withdrawKeys', 'Check your connection, then withdraw the keys again.'],
  ['answerDispute', 'Check your connection. Keydesk retries automatically.'],
  ['listOrders', 'Check your connection. Keydesk retries automatically.'],
] as const)('says what happens to %s that could not be sent', (operation, next) => {
  expect(offlineNext(operation)).toBe(next)
})
