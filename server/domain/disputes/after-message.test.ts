import { describe, expect, test } from 'vitest'
import { afterMessage } from './disputes.ts'

type Dispute = Parameters<typeof afterMessage>[0]
const at = 5_000_000
const hours72 = 72 * 3_600_000
const open = (escalatesAt: number | null) => ({ status: 'open', escalatesAt }) as Dispute

describe('an open dispute after a message (Decision 31)', () => {
  test('escalates 72 hours after a message of the customer', () => {
    const progress = { status: 'open', escalatesAt: at + hours72, updatedAt: at }
    expect(afterMessage(open(null), 'customer', at)).toEqual(progress)
    expect(afterMessage(open(at - 1), 'customer', at)).toEqual(progress)
  })

  test('doesn’t escalate after an answer of the seller', () => {
    expect(afterMessage(open(at + 9), 'seller', at)).toEqual({
      status: 'open',
      escalatesAt: null,
      updatedAt: at,
    })
  })

  test.each([null, at + 9])('keeps its time after a message of support: %s', (escalatesAt) => {
    expect(afterMessage(open(escalatesAt), 'support', at)).toEqual({
      status: 'open',
      escalatesAt,
      updatedAt: at,
    })
  })
})

test.each(['customer', 'seller', 'support'] as const)(
  'an escalated dispute stays escalated after a message: %s',
  (author) => {
    const escalated = { status: 'escalated', escalatesAt: null } as Dispute
    expect(afterMessage(escalated, author, at)).toEqual({
      status: 'escalated',
      escalatesAt: null,
      updatedAt: at,
    })
  },
)
