import { expect, test } from 'vitest'
import { pollingPeriods } from '../../../contract/app/app.ts'
import type { PolledTopic } from '../../../contract/app/app.ts'
import { optionalNoticeKinds } from '../../../contract/app/notices.ts'
import type { Role } from '../../../contract/app/accounts.ts'
import { settingsOf } from './settings-of-role.ts'

const topics = Object.keys(pollingPeriods) as PolledTopic[]
const of = (...roles: Role[]) => {
  const shown = settingsOf(roles.map((role) => ({ role })))
  return {
    seller: shown.seller,
    topics: topics.filter(shown.topic),
    notices: optionalNoticeKinds.filter(shown.notice),
  }
}

test('shows a partner no options of a seller', () => {
  expect(of('partner')).toEqual({
    seller: false,
    topics: ['orders'],
    notices: ['order-failed', 'balance-low', 'claim-settled'],
  })
})

test('shows a seller no options of a partner', () => {
  expect(of('seller').topics).not.toContain('orders')
  expect(of('seller').notices).not.toContain('order-failed')
})

test('shows every option with accounts of both roles, and before the first account', () => {
  for (const shown of [of('seller', 'partner'), of()])
    expect(shown).toEqual({ seller: true, topics, notices: [...optionalNoticeKinds] })
})
