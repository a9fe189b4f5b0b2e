import { expect, test } from 'vitest'
import { Failure } from '../failure.ts'
import { normalizeBaseUrl } from './base-url.ts'

test.each([
  ['https://api.example.com/v1', 'https://api.example.com/v1'],
  ['  https://API.example.com/v1/  ', 'https://api.example.com/v1'],
  ['https://api.example.com', 'https://api.example.com/v1'],
  ['api.example.com', 'https://api.example.com/v1'],
  ['https://api.example.com/shop/v1/seller', 'https://api.example.com/shop/v1'],
  ['https://api.example.com:8443/', 'https://api.example.com:8443/v1'],
  ['http://127.0.0.1:4600/v1', 'http://127.0.0.1:4600/v1'],
  ['127.0.0.1:4600', 'http://127.0.0.1:4600/v1'],
  ['http://localhost:4600', 'http://localhost:4600/v1'],
  ['http://[::1]:4600/v1', 'http://[::1]:4600/v1'],
])('reads %s as %s', (typed, address) => {
  expect(normalizeBaseUrl(typed)).toBe(address)
})

test.each([
  'http://api.example.com/v1',
  'http://127.0.0.1.example.com/v1',
  'http://192.168.1.4/v1',
  'ftp://api.example.com/v1',
  'https://name:word@api.example.com/v1',
  'https://api.example.com/v1?x=1',
  'https://api.example.com/v1#x',
  'https://api.example.com/v2',
  'https://',
  'two words',
])('rejects %s with what to do', (typed) => {
  try {
    normalizeBaseUrl(typed)
    expect.unreachable()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    expect(error.problem).toMatchObject({
      code: 'INVALID_INPUT',
      effect: 'Nothing was sent.',
      fields: [{ field: 'baseUrl' }],
    })
  }
})
