import { expect, it } from 'vitest'
import { pastedInto } from './table-text.ts'

const long = 'off_1,3.20\n'.repeat(1000)

it('keeps typed lines when a long table is pasted beside them', () => {
  const value = 'offer,cost\nold\nlast'
  const field = { value, selectionStart: 11, selectionEnd: 14 }
  expect(pastedInto(field, long)).toMatchObject({
    text: `offer,cost\n${long}\nlast`,
    name: 'Pasted table',
  })
})

it('leaves a short table to the field', () => {
  expect(pastedInto({ value: '', selectionStart: 0, selectionEnd: 0 }, 'off_1,3.20')).toBeNull()
})
