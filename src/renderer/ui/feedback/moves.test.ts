import { createElement } from 'react'
import { expect, it } from 'vitest'
import { movesBetween, textOf } from './moves.ts'

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

it('reads the text of elements', () => {
  const amount = createElement('button', null, createElement('b', null, '3 ', 'keys'), ' left')
  expect(textOf(amount)).toBe('3 keys left')
  expect(textOf([12, ' of ', null, true, 'all'])).toBe('12 of all')
})
