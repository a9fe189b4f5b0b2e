import { expect, it } from 'vitest'
import { codesOf } from './error-state.tsx'

it('shows the code, HTTP status and request as far as they are known', () => {
  expect(codesOf({ code: 'PRICE_CHANGED', status: 409, requestId: 'req_1' })).toBe(
    'PRICE_CHANGED · 409 · req_1',
  )
  expect(codesOf({ code: 'OFFLINE', status: null, requestId: null })).toBe('OFFLINE')
})

it('shows the service’s own code when Keydesk doesn’t know it', () => {
  expect(
    codesOf({
      code: 'UNKNOWN_CODE',
      originalCode: 'OFFER_UNDER_REVIEW',
      status: 409,
      requestId: 'req_9',
    }),
  ).toBe('OFFER_UNDER_REVIEW · 409 · req_9')
})
