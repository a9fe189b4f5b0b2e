import { expect, test } from 'vitest'
import {
  editedKey,
  isCompleteKey,
  kindOfKey,
  maskKey,
  keyError,
  keyMismatch,
  missingAbilities,
  addressError,
} from './key-field.ts'

const secret = 'svcs_abcdefghijklmnopqrstuvwx4f2c'

test("reads role and mode from a key's prefix", () => {
  expect(kindOfKey(secret)).toEqual({ role: 'seller', mode: 'live' })
  expect(kindOfKey('svc_test_x')).toEqual({ role: 'partner', mode: 'test' })
  expect(kindOfKey('svc_live_x')).toEqual({ role: 'partner', mode: 'live' })
  expect(kindOfKey('svc_x')).toBeNull()
})

test('rejects a text that can’t become a key with its first wrong character', () => {
  for (const start of ['', 's', 'svc', 'svc_', 'svc_te', 'svcs_abc', secret])
    expect(keyError(start), start).toBeNull()
  for (const wrong of ['h', 'hello', 'svcx', 'SVCS_'])
    expect(keyError(wrong), wrong).toBe('A key starts with svcs_, svc_live_ or svc_test_')
})

test('names what a partner key can’t do without a scope', () => {
  const of = (...scopes: string[]) => missingAbilities({ role: 'partner', scopes })
  expect(of('catalog:read')).toEqual([
    'place orders',
    'read orders or download keys',
    'read the balance',
  ])
  expect(of('catalog:read', 'orders:write', 'orders:read', 'balance:read')).toEqual([])
  expect(missingAbilities({ role: 'seller', scopes: [] })).toEqual([])
})

test('masks a key except for its prefix and last four characters', () => {
  expect(maskKey(secret)).toBe(`svcs_${'•'.repeat(24)}4f2c`)
  expect(maskKey('svcs_short')).toBe('svcs_•••••')
  expect(isCompleteKey(secret)).toBe(true)
  expect(isCompleteKey('svcs_short')).toBe(false)
})

test('accepts https addresses, and http on this computer only', () => {
  expect(addressError('https://api.example.com/v1')).toBeNull()
  expect(addressError('http://127.0.0.1:4700/v1')).toBeNull()
  expect(addressError('http://api.example.com')).toBe('Use https; http works only on this computer')
  expect(addressError('ftp://x')).toBe('Use an https address')
  for (const unfinished of ['', 'api', 'https', 'https:', 'https://'])
    expect(addressError(unfinished)).toMatch(/^Enter an address/)
})

test('accepts an address without a scheme, as the check adds one', () => {
  for (const bare of [
    'api.example.com',
    'api.example.com/v1',
    '127.0.0.1:4700',
    'localhost:4700',
    '[::1]:4700',
  ])
    expect(addressError(bare)).toBeNull()
})

test('starts over when someone types into a complete key, and replaces it on paste', () => {
  const other = 'svc_live_abcdefghijklmnopqrstuvwx'
  expect(editedKey(secret, true, other)).toBe(other)
  expect(editedKey(secret, true, ` ${other} `)).toBe(other)
  expect(editedKey(secret, true, `${maskKey(secret)}a`)).toBe('a')
  expect(editedKey(secret, true, maskKey(secret).slice(0, -1))).toBe('')
  expect(editedKey(secret, false, `${secret} `)).toBe(secret)
})

test('reports a key of another kind before asking the service', () => {
  const partner = { name: 'Resale', maskedKey: 'svc_live_••••1234' }
  expect(keyMismatch(partner, 'svc_live_abc')).toBeNull()
  expect(keyMismatch(partner, 'sv')).toBeNull()
  expect(keyMismatch(partner, 'svc_test_abc')).toBe(
    'This is a partner key for TEST; Resale has a partner key for LIVE. Connect it as another account.',
  )
  expect(keyMismatch(partner, 'svcs_abc')).toContain('This is a seller key;')
  expect(keyMismatch({ name: 'Shop', maskedKey: 'svcs_••••1234' }, 'svc_live_abc')).toContain(
    'Shop has a seller key',
  )
})
