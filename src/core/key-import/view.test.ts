import { expect, test } from 'vitest'
import { leftOf } from './view.ts'

test('the time left follows the rate of keys', () => {
  expect(leftOf({ keys: 10_000, requests: 10 }, 5000, 20)).toBe(2000)
  expect(leftOf({ keys: 10_000, requests: 10 }, 0, 0)).toBeNull()
})

test('a fast beginning promises no more than 300 uploads a minute allow', () => {
  // 1,000 requests in bursts of 300: the last of them can't be sent before the fourth minute.
  expect(leftOf({ keys: 936_000, requests: 936 }, 11_538, 64)).toBe(140_000)
  expect(leftOf({ keys: 700_000, requests: 700 }, 12_000, 300)).toBe(140_000)
})
