import { expect, it } from 'vitest'
import { keyKind, maskKey } from './key-prefix.ts'

it('reads API and mode from the prefix', () => {
  expect(keyKind('svc_test_abc')).toEqual({ api: 'partner', mode: 'test', prefix: 'svc_test_' })
  expect(keyKind('svc_live_abc')).toEqual({ api: 'partner', mode: 'live', prefix: 'svc_live_' })
  expect(keyKind('svcs_abc')).toEqual({ api: 'seller', prefix: 'svcs_' })
  for (const other of ['', 'svc_', 'SVC_TEST_abc', ' svc_test_abc', 'whsec_abc'])
    expect(keyKind(other)).toBeNull()
})

it('shows at most the prefix and the last four characters', () => {
  expect(maskKey('svc_test_0123456789abcdef4f2c')).toBe('svc_test_…4f2c')
  expect(maskKey('svcs_short')).toBe('svcs_…')
  expect(maskKey('just some password')).toBe('…word')
})
