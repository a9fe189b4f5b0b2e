import { expect, test } from 'vitest'
import { sequenceRows } from './sequence-rows.ts'

test('shows the messages of each step and the broken promise', () => {
  expect(sequenceRows('completed partial: lost 1; forged 2 secret', 'once')).toEqual([
    { step: 1, from: 'service', to: 'receiver', text: 'event of order 1' },
    { step: null, from: 'receiver', to: 'service', text: 'answer lost', cut: true },
    { step: 2, from: 'service', to: 'receiver', text: 'forged, another secret' },
    { step: null, from: 'receiver', to: 'shop', text: 'hands on a unit twice', bad: true },
  ])
})

test('leaves out what it does not know', () => {
  expect(sequenceRows('completed: other; teleport 1', 'magic')).toEqual([
    { step: 1, from: 'service', to: 'receiver', text: 'balance.credited' },
  ])
})
