import { expect, it } from 'vitest'
import { toCents } from '../../../../server/api/money.ts'
import { totalsOf } from './bulk-plan.ts'

const refunds = [{ refundCents: toCents(34.54) }, { refundCents: toCents(5.5) }]
const others = [{ refundCents: null }, { refundCents: null }]

it('asks in LIVE for the total of the refunds or the number of keys, and for nothing else', () => {
  expect(totalsOf(refunds, 'refund', true)).toMatchObject({ typed: 'refund 40.04', keys: 0 })
  expect(totalsOf(others, 'replace-stock', true)).toMatchObject({ typed: 'send 2', keys: 2 })
  expect(totalsOf(others, null, true).typed).toBeNull()
  expect(totalsOf(refunds, 'refund', false).typed).toBeNull()
})
