import { expect, it } from 'vitest'
import type { DisputeRow } from '../../../../contract/disputes/dispute-records.ts'
import { MOST_BULK_REPLIES } from '../../../../contract/disputes/disputes.ts'
import { rowKey } from '../inbox/row-key.ts'
import { type ReadDisputes, withAllRows } from './selectable-disputes.ts'

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a selection uses only the ids
const dispute = (accountId: string, at: number) =>
  ({ accountId, disputeId: `dsp_${at}` }) as DisputeRow

/** Two shops whose disputes alternate in the list, so many of each. */
const shops = (each: number): ReadDisputes => {
  const rows = Array.from({ length: each * 2 }, (_, at) =>
    dispute(at % 2 === 0 ? 'first' : 'second', at),
  )
  return (most, accountId) =>
    Promise.resolve(
      rows.filter((row) => accountId === null || row.accountId === accountId).slice(0, most),
    )
}

it('selects the most disputes of one account and reports that it has more', async () => {
  const { next, isFull } = await withAllRows(new Map(), shops(MOST_BULK_REPLIES + 1))
  expect(next.size).toBe(MOST_BULK_REPLIES)
  expect(isFull).toBe(true)
  expect(new Set([...next.values()].map(({ accountId }) => accountId))).toEqual(new Set(['first']))
})

it('selects all disputes of an account that has no more than one reply answers', async () => {
  const { next, isFull } = await withAllRows(new Map(), shops(MOST_BULK_REPLIES))
  expect(next.size).toBe(MOST_BULK_REPLIES)
  expect(isFull).toBe(false)
})

it('adds the disputes of the account that is selected already', async () => {
  const row = dispute('second', 1)
  const { next } = await withAllRows(new Map([[rowKey(row), row]]), shops(3))
  expect([...next.values()].map(({ disputeId }) => disputeId)).toEqual(['dsp_1', 'dsp_3', 'dsp_5'])
})

it('selects nothing in an empty list', async () => {
  expect(await withAllRows(new Map(), shops(0))).toEqual({ next: new Map(), isFull: false })
})
