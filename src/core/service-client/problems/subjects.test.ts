import { expect, test } from 'vitest'
import { offlineNext } from './subjects.ts'

test.each([
  [
    'createOrder',
    'Check your connection, then order again. Keydesk never orders later without you.',
  ],
  ['getOrderKeys', 'Check your connection, then download the keys again.'],
  ['listOrders', 'Check your connection. Keydesk retries automatically.'],
] as const)('says what happens to %s that could not be sent', (operation, next) => {
  expect(offlineNext(operation)).toBe(next)
})
