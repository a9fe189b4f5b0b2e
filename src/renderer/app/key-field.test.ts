import { expect, test } from 'vitest'
import { isWholeKey, kindOfKey, maskKey, wrongAddress } from './key-field.ts'

const secret = 'svcs_abcdefghijklmnopqrstuvwx4f2c'

test('the beginning of a key tells role and mode', () => {
  expect(kindOfKey(secret)).toEqual({ role: 'seller', mode: 'live' })
  expect(kindOfKey('svc_test_x')).toEqual({ role: 'partner', mode: 'test' })
  expect(kindOfKey('svc_live_x')).toEqual({ role: 'partner', mode: 'live' })
  expect(kindOfKey('svc_x')).toBeNull()
})

test('a masked key shows its beginning and its last four characters only', () => {
  expect(maskKey(secret)).toBe(`svcs_${'•'.repeat(24)}4f2c`)
  expect(maskKey('svcs_short')).toBe('svcs_•••••')
  expect(isWholeKey(secret)).toBe(true)
  expect(isWholeKey('svcs_short')).toBe(false)
})

test('an address is https, or this machine', () => {
  expect(wrongAddress('https://api.example.com/v1')).toBeNull()
  expect(wrongAddress('http://127.0.0.1:4700/v1')).toBeNull()
  expect(wrongAddress('http://api.example.com')).toBe('Only https, except on this machine')
  expect(wrongAddress('ftp://x')).toBe('Only https addresses')
  expect(wrongAddress('api')).toMatch(/^Enter an address/)
})
