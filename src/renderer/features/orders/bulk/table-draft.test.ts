import { afterEach, expect, test } from 'vitest'
import { emptyDraft, useTableDrafts } from './table-draft.ts'

const { change, close, replace } = useTableDrafts.getState()
const draft = () => useTableDrafts.getState().drafts['account']
const failed = { name: 'monday.csv', text: 'a,prd_1,1,', previous: new Map() }

afterEach(() => {
  change('account', emptyDraft)
  close()
})

test('brings back the table that was entered before another one was opened', () => {
  const entered = { ...emptyDraft, text: 'b,prd_2,3,' }
  change('account', entered)
  const undo = replace('account', failed)
  expect(useTableDrafts.getState()).toMatchObject({ openFor: 'account' })
  expect(draft()).toEqual(failed)
  close()
  expect(undo?.()).toBe(true)
  expect(draft()).toEqual(entered)
  expect(useTableDrafts.getState()).toMatchObject({ openFor: 'account' })
})

test('keeps what was entered after a table was replaced', () => {
  change('account', { ...emptyDraft, text: 'b,prd_2,3,' })
  const undo = replace('account', failed)
  const later = { ...emptyDraft, text: 'c,prd_3,1,' }
  change('account', later)
  expect(undo?.()).toBe(false)
  expect(draft()).toEqual(later)
})

test('offers no undo if no entered table was lost', () => {
  expect(replace('account', failed)).toBeNull()
  expect(replace('account', failed)).toBeNull()
  change('account', { ...emptyDraft, text: ' ' })
  expect(replace('account', failed)).toBeNull()
})
