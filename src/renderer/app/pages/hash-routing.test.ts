import { expect, test } from 'vitest'
import { splitFragment } from './hash-routing.ts'

test('keeps path and search in the URL fragment', () => {
  expect(splitFragment('')).toEqual({ path: '/', search: '' })
  expect(splitFragment('#/orders/ord_1')).toEqual({ path: '/orders/ord_1', search: '' })
  expect(splitFragment('#/import?offer=off_1&x=a?b')).toEqual({
    path: '/import',
    search: 'offer=off_1&x=a?b',
  })
})
