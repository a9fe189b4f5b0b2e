import { expect, test } from 'vitest'
import { roleLabelOf } from './role-labels.ts'

test('tells live and test keys of a sandbox partner apart, whose badges are the same', () => {
  const partner = { role: 'partner', mode: 'sandbox' } as const
  expect(roleLabelOf({ ...partner, maskedKey: 'svc_live_••••8jEJ' })).toBe('Partner, live')
  expect(roleLabelOf({ ...partner, maskedKey: 'svc_test_••••8jEJ' })).toBe('Partner, test')
  expect(roleLabelOf({ role: 'seller', mode: 'sandbox', maskedKey: 'svcs_••••8jEJ' })).toBe(
    'Seller',
  )
  expect(roleLabelOf({ ...partner, mode: 'live', maskedKey: 'svc_live_••••8jEJ' })).toBe('Partner')
})
