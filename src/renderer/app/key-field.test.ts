import { expect, test } from 'vitest'
import { editedKey, isWholeKey, kindOfKey, maskKey, misfit, wrongAddress } from './key-field.ts'

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
  for (const unfinished of ['', 'api', 'https', 'https:', 'https://'])
    expect(wrongAddress(unfinished)).toMatch(/^Enter an address/)
})

test('an address may leave its scheme out, as the check adds it', () => {
  for (const bare of [
    'api.example.com',
    'api.example.com/v1',
    '127.0.0.1:4700',
    'localhost:4700',
    '[::1]:4700',
  ])
    expect(wrongAddress(bare)).toBeNull()
})

test('a whole key is begun anew by typing into it, and replaced by another one', () => {
  const other = 'svc_live_abcdefghijklmnopqrstuvwx'
  expect(editedKey(secret, true, other)).toBe(other)
  expect(editedKey(secret, true, ` ${other} `)).toBe(other)
  expect(editedKey(secret, true, `${maskKey(secret)}a`)).toBe('a')
  expect(editedKey(secret, true, maskKey(secret).slice(0, -1))).toBe('')
  expect(editedKey(secret, false, `${secret} `)).toBe(secret)
})

test('a key of another kind is told before the service is asked', () => {
  const partner = { name: 'Resale', maskedKey: 'svc_live_••••1234' }
  expect(misfit(partner, 'svc_live_abc')).toBeNull()
  expect(misfit(partner, 'sv')).toBeNull()
  expect(misfit(partner, 'svc_test_abc')).toBe(
    'This is a partner key for TEST; Resale has a partner key for LIVE. Connect it as another account.',
  )
  expect(misfit(partner, 'svcs_abc')).toContain('This is a seller key;')
  expect(misfit({ name: 'Shop', maskedKey: 'svcs_••••1234' }, 'svc_live_abc')).toContain(
    'Shop has a seller key',
  )
})
