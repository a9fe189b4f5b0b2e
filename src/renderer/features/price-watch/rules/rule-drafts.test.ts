import { beforeEach, expect, it } from 'vitest'
import { newRuleDefaults } from '../../../../contract/price-watch/price-rules.ts'
import { NEW_RULE, setComesFirst, setDraft, useAllDrafts } from './rule-drafts.ts'

const draftsOf = (accountId: string) => useAllDrafts.getState().byAccount.get(accountId)
const rule = { ...newRuleDefaults, name: 'Steam' }

beforeEach(() => useAllDrafts.setState({ byAccount: new Map() }))

it('keeps the drafts of each account apart, outside the page', () => {
  setDraft('a', NEW_RULE, rule)
  setComesFirst('a', true)
  setDraft('b', 'r1', { ...rule, name: 'Other' })
  expect(draftsOf('a')).toEqual({ drafts: new Map([[NEW_RULE, rule]]), comesFirst: true })
  expect([...(draftsOf('b')?.drafts.keys() ?? [])]).toEqual(['r1'])
})

it('discards one draft and keeps the others', () => {
  setDraft('a', NEW_RULE, rule)
  setDraft('a', 'r1', rule)
  setDraft('a', NEW_RULE, null)
  expect([...(draftsOf('a')?.drafts.keys() ?? [])]).toEqual(['r1'])
})
