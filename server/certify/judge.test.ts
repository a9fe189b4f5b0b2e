import { expect, test } from 'vitest'
import { judge, type Subject } from './judge.ts'
import type { Observed } from './observed.ts'

const subject = (changes: Partial<Subject> = {}): Subject => ({
  index: 0,
  announced: {
    id: 'ord_1',
    status: 'completed',
    units: ['key_1', 'key_2'],
    event: { name: 'order.completed', delivery: 'dlv_1', body: '{}' },
  },
  genuine: true,
  forged: false,
  overtaken: false,
  ...changes,
})
const unit = (id: string) => ({ id, order: 'ord_1' })
const both = [unit('key_1'), unit('key_2')]
const completed = [{ id: 'ord_1', status: 'completed' }]
const broken = (given: Subject, observed: Observed) =>
  judge([given], observed).map(({ invariant }) => invariant)

test('passes a handler that handed on each unit once and recorded the state', () => {
  expect(broken(subject(), { units: both, orders: completed })).toEqual([])
  expect(broken(subject(), { units: both, orders: null })).toEqual([])
  expect(broken(subject({ genuine: false }), { units: [], orders: [] })).toEqual([])
})

test('names the promise that was broken', () => {
  expect(broken(subject(), { units: [...both, unit('key_2')], orders: completed })).toEqual([
    'once',
  ])
  expect(broken(subject(), { units: [...both, unit('key_9')], orders: completed })).toEqual([
    'once',
  ])
  expect(broken(subject(), { units: [unit('key_1')], orders: completed })).toEqual(['lost'])
  expect(broken(subject({ overtaken: true }), { units: [], orders: [] })).toEqual(['older'])
  expect(broken(subject(), { units: both, orders: [] })).toEqual(['state'])
  const failed = [{ id: 'ord_1', status: 'failed' }]
  expect(broken(subject(), { units: both, orders: failed })).toEqual(['state'])
})

test('tells forged, stale and test events apart', () => {
  const silent = { genuine: false } as const
  const observed = { units: both, orders: [] }
  expect(broken(subject({ ...silent, forged: true }), observed)).toEqual(['forged'])
  expect(broken(subject(silent), observed)).toEqual(['stale'])
  expect(broken(subject({ ...silent, index: null }), observed)).toEqual(['test'])
  expect(broken(subject(silent), { units: [], orders: completed })).toEqual(['stale'])
})
