import { expect, test } from 'vitest'
import { cents } from '../../../../../server/api/money.ts'
import type { Account } from '../../../../contract/app/accounts.ts'
import { groupsOf, sumOf } from './sums.ts'

const row = (
  name: string,
  amount: number | null,
  part: Partial<Account> = {},
  currency = 'EUR',
) => ({
  name,
  currency,
  amount: amount === null ? null : cents(amount),
  account: {
    role: 'seller',
    mode: 'live',
    maskedKey: `svcs_••••${name}`,
    baseUrl: 'https://service.example',
    serviceAccountId: name,
    ...part,
  } as const,
})

test('adds only amounts of one role, mode and currency', () => {
  const rows = [
    row('Amber', 100),
    row('Demo', 900, { mode: 'sandbox' }),
    row('Kestrel', 50),
    row('Dollar', 7, {}, 'USD'),
    row('Partner', 3, { role: 'partner', maskedKey: 'svc_live_••••1' }),
    row('Test', 4, { role: 'partner', maskedKey: 'svc_test_••••2' }),
  ]
  expect(groupsOf(rows).map((group) => group.map(({ name }) => name))).toEqual([
    ['Amber', 'Kestrel'],
    ['Demo'],
    ['Dollar'],
    ['Partner'],
    ['Test'],
  ])
})

test('a sum is unknown while one of its amounts is', () => {
  const amountOf = ({ amount }: ReturnType<typeof row>) => amount
  expect(sumOf([row('Amber', 100), row('Kestrel', 50)], amountOf)).toBe(150)
  expect(sumOf([row('Amber', 100), row('Kestrel', null)], amountOf)).toBeNull()
})

test('two keys of one shop count once', () => {
  const shop = { serviceAccountId: 'shop' }
  const rows = [row('first key', 100, shop), row('second key', 100, shop)]
  expect(sumOf(rows, ({ amount }) => amount)).toBe(100)
  const elsewhere = row('other service', 20, { ...shop, baseUrl: 'https://other.example' })
  expect(sumOf([...rows, elsewhere], ({ amount }) => amount)).toBe(120)
})
