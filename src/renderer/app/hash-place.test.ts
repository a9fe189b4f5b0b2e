import { expect, test } from 'vitest'
import { splitPlace } from './hash-place.ts'

test('keeps path and search in the URL fragment', () => {
  expect(splitPlace('')).toEqual({ path: '/', search: '' })
  expect(splitPlace('#/orders/ord_1')).toEqual({ path: '/orders/ord_1', search: '' })
  expect(splitPlace('#/import?offer=off_1&x=a?b')).toEqual({
    path: '/import',
    search: 'offer=off_1&x=a?b',
  })
})
