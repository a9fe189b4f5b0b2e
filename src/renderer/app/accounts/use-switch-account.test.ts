import { expect, test } from 'vitest'
import { homePath } from '../pages/pages.ts'
import { pathAfterSwitch } from './use-switch-account.ts'

test('stays on a page that the other account has, without the open record', () => {
  expect(pathAfterSwitch('/catalogue/prd_1', 'partner')).toBe('/catalogue')
  expect(pathAfterSwitch('/offers/off_1', 'seller')).toBe('/offers')
  expect(pathAfterSwitch('/catalogue', 'seller')).toBe('/catalogue')
  expect(pathAfterSwitch('/settings/security', 'seller')).toBe('/settings/security')
})

test('opens the home page if the other account lacks the page', () => {
  expect(pathAfterSwitch('/offers/off_1', 'partner')).toBe(homePath)
  expect(pathAfterSwitch('/orders/new', 'seller')).toBe(homePath)
})
