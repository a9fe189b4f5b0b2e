import { expect, test } from 'vitest'
import { changePaths, judge } from './verdicts.ts'
import type { Sent, View } from './watch.ts'

const names = new Map([
  ['off_1', 'Hollow Tide 2'],
  ['off_2', 'Auburn Compass'],
])
const view = (seen: Partial<View> = {}): View => ({
  event: 'keydown u',
  hash: '#/offers',
  dialog: null,
  panel: null,
  current: null,
  pointed: null,
  edited: null,
  checked: [],
  toasts: '',
  ...seen,
})
const change = (seen: View | null, sent: Partial<Sent> = {}): Sent => ({
  path: 'offers/change',
  input: { accountId: 'a', offerId: 'off_1', status: 'paused' },
  view: seen,
  before: [],
  sinceUndoMs: null,
  ...sent,
})

test.each([
  ['the current row', view({ current: 'off_1' })],
  ['the open panel', view({ panel: 'Hollow Tide 2 Steam off_1' })],
  [
    'the clicked row, although another is current',
    view({ event: 'click', pointed: 'off_1', current: 'off_2' }),
  ],
  ['the dialog', view({ dialog: 'Pause Hollow Tide 2?' })],
  [
    'the field that a press elsewhere leaves',
    view({ event: 'pointerdown', pointed: 'off_2', edited: 'null Hollow Tide 2 You receive' }),
  ],
])('a change of %s was seen', (_, seen) => {
  expect(judge(change(seen), names)).toBe('seen')
})

test.each([
  ['another row is current', view({ current: 'off_2' })],
  ['nothing is current', view()],
  ['another panel is open', view({ panel: 'Auburn Compass off_2', current: 'off_2' })],
  ['the panel and the current row differ', view({ panel: 'off_1', current: 'off_2' })],
  ['a dialog names another record', view({ dialog: 'Pause Auburn Compass?', current: 'off_1' })],
  ['another row is clicked', view({ event: 'click', pointed: 'off_2' })],
  [
    'a click follows the press that left its field',
    view({ event: 'click', pointed: 'off_2', edited: 'off_1 Hollow Tide 2' }),
  ],
])('a change while %s was not seen', (_, seen) => {
  expect(judge(change(seen), names)).toBe('unseen')
})

test('a change of several records was seen only if all are checked', () => {
  const both = { path: 'priceWatch/reject', input: { offerIds: ['off_1', 'off_2'] } }
  expect(judge(change(view({ checked: ['off_1', 'off_2'] }), both), names)).toBe('seen')
  expect(judge(change(view({ checked: ['off_1'] }), both), names)).toBe('unseen')
})

test('a change of the only checked record was seen, whatever row is current', () => {
  const one = { path: 'priceWatch/hold', input: { offerIds: ['off_1'] } }
  const elsewhere = { current: 'off_2', checked: ['off_1'] }
  expect(judge(change(view(elsewhere), one), names)).toBe('seen')
  expect(judge(change(null, { ...one, before: [view(elsewhere)] }), names)).toBe('seen')
  const two = view({ ...elsewhere, checked: ['off_1', 'off_2'] })
  expect(judge(change(two, one), names)).toBe('unseen')
  expect(judge(change(view({ ...elsewhere, dialog: 'Hold' }), one), names)).toBe('unseen')
})

test('a change without an event was seen if an event shortly before it saw the record', () => {
  expect(judge(change(null), names)).toBe('unseen')
  expect(judge(change(null, { before: [view({ pointed: 'off_1' })] }), names)).toBe('seen')
  expect(judge(change(null, { sinceUndoMs: 100 }), names)).toBe('undo')
  expect(judge(change(null, { sinceUndoMs: 60_000 }), names)).toBe('unseen')
  expect(judge(change(view({ event: 'keydown Ctrl+z' })), names)).toBe('undo')
})

test('a change of checked records may follow many events later, another only a few', () => {
  const one = { path: 'priceWatch/hold', input: { offerIds: ['off_1'] } }
  const moved = Array.from({ length: 12 }, () => view({ current: 'off_2' }))
  const checked = view({ current: 'off_2', checked: ['off_1'] })
  expect(judge(change(null, { ...one, before: [checked, ...moved] }), names)).toBe('seen')
  const current = view({ current: 'off_1' })
  expect(judge(change(null, { ...one, before: [current, ...moved] }), names)).toBe('unseen')
})

test('a call that only reads has no verdict', () => {
  expect(changePaths).toContain('offers/change')
  expect(changePaths).not.toContain('offers/list')
})
