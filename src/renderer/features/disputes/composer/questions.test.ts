import { expect, test } from 'vitest'
import { cents } from '../../../../../server/api/money.ts'
import type { DisputeEffects } from '../../../../contract/disputes/dispute-records.ts'
import { promiseQuestion, unfilledQuestion } from './questions.tsx'

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only these parts are read
const effects = {
  refundCents: cents(1234),
  stock: { before: 3, after: 2 },
  sale: null,
  balance: null,
} as DisputeEffects
const nothing = 'No key or money moves.'
const refund = 'The customer gets the money back.'
const key = 'The oldest key of the offer is sent to the customer.'
const moved = ({ effects: lines }: ReturnType<typeof promiseQuestion>): string[] =>
  lines.map(({ what }) => what).filter((what) => [nothing, refund, key].includes(what))

const answer = { outcome: 'reply', kind: null, effects: undefined } as const
const withRefund = { outcome: 'refund', kind: 'refund', effects } as const
const withKey = { outcome: 'replace-stock', kind: 'replace-stock', effects } as const

test('asks about fields without a value with everything that is sent with the answer', () => {
  const asked = [answer, withRefund, withKey].map((sent) => unfilledQuestion(['{key}'], sent))
  expect(asked.map(moved)).toEqual([[nothing], [refund], [key]])
  expect(asked.map(({ confirmLabel, destructive }) => [confirmLabel, destructive])).toEqual([
    ['Send anyway', false],
    ['Send answer and refund EUR 12.34', true],
    ['Send answer and 1 key', false],
  ])
})

test('asks about a promised key with the refund that is sent instead, and the reverse', () => {
  const asked = [
    promiseQuestion('replace-stock', answer),
    promiseQuestion('replace-stock', withRefund),
    promiseQuestion('refund', withKey),
  ]
  expect(asked.map(moved)).toEqual([[nothing], [refund], [key]])
  expect(asked.map(({ title, confirmLabel }) => [title, confirmLabel])).toEqual([
    ['Send without a key?', 'Send answer only'],
    ['Send without a key?', 'Send answer and refund EUR 12.34'],
    ['Send without a refund?', 'Send answer and 1 key'],
  ])
})
