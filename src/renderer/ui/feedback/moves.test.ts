import { createElement } from 'react'
import { expect, it } from 'vitest'
import { movesBetween, movesOfRecords, textOf } from './moves.ts'

it.each([
  ['Refund EUR 34.54', 'Refund EUR 30.00', '−13 %'],
  ['Stock 1,204 → 1,203', 'Stock 602 → 601', '−50 %'],
  ['16 offers change, 3 of them now', '18 offers change, 3 of them now', '+13 %'],
  ['Pending −2.00', 'Pending −3.00', null],
  ['Nothing is known', '3 keys are known', null],
  ['Rule “A”', 'Rule “B”', null],
])('%s → %s is a change of %s', (from, to, percent) => {
  expect(movesBetween([from], [to])).toEqual([{ from, to, percent }])
})

it('names what is new and what is no longer true, and nothing that stays', () => {
  expect(movesBetween(['3 keys', 'No money moves'], ['No money moves'])).toEqual([
    { from: '3 keys', to: null, percent: null },
  ])
  expect(movesBetween(['No money moves'], ['No money moves', 'No stock'])).toEqual([
    { from: null, to: 'No stock', percent: null },
  ])
  expect(movesBetween(['No money moves'], ['No money moves'])).toEqual([])
})

it('compares each record with itself, also when another one is gone or new', () => {
  const said = (texts: Record<string, string>) =>
    Object.entries(texts).map(([subject, text]) => ({ subject, text }))
  expect(
    movesOfRecords(
      said({ a: 'Ardtide, 5.00 to 4.80', b: 'Brume, 6.00 to 5.00', c: 'Cinder, 1.00 to 2.00' }),
      said({ d: 'Dune, 3.00 to 2.00', c: 'Cinder, 1.00 to 2.00', b: 'Brume, 6.00 to 4.00' }),
    ),
  ).toEqual([
    { from: 'Ardtide, 5.00 to 4.80', to: null, percent: null },
    { from: 'Brume, 6.00 to 5.00', to: 'Brume, 6.00 to 4.00', percent: '−20 %' },
    { from: null, to: 'Dune, 3.00 to 2.00', percent: null },
  ])
})

it('reads the text of elements', () => {
  const amount = createElement('button', null, createElement('b', null, '3 ', 'keys'), ' left')
  expect(textOf(amount)).toBe('3 keys left')
  expect(textOf([12, ' of ', null, true, 'all'])).toBe('12 of all')
})
