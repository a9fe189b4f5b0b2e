import { beforeEach, expect, it } from 'vitest'
import { cents } from '../../../../../server/api/money.ts'
import { newLine, useBasket } from './basket.ts'

const { add, beginPlacing, change, endPlacing, fill, remove, removePlaced, replace } =
  useBasket.getState()
const lines = () => useBasket.getState().lines['account'] ?? []

beforeEach(() => {
  fill('account', [newLine('p1', 2), newLine('p1', 3)])
})

it('changes one of two lines of the same product', () => {
  const [, second] = lines()
  change('account', second?.id ?? 0, { qty: 5, maxCents: cents(700) })
  expect(lines()).toMatchObject([
    { productId: 'p1', qty: 2, maxCents: null },
    { productId: 'p1', qty: 5, maxCents: 700 },
  ])
})

it('removes one of two lines of the same product', () => {
  const [first] = lines()
  remove('account', first?.id ?? 0)
  expect(lines()).toMatchObject([{ productId: 'p1', qty: 3 }])
})

it('adds a unit to the first line of a product in the order, otherwise a line', () => {
  add('account', 'p1')
  add('account', 'p2')
  expect(lines()).toMatchObject([
    { productId: 'p1', qty: 3 },
    { productId: 'p1', qty: 3 },
    { productId: 'p2', qty: 1 },
  ])
  expect(new Set(lines().map(({ id }) => id)).size).toBe(3)
})

it('says why a product could not be added', () => {
  fill('account', [newLine('p1', 8)])
  expect(add('account', 'p1')).toBe('added')
  expect(add('account', 'p1')).toBe('most-units')
  expect(lines()).toMatchObject([{ productId: 'p1', qty: 9 }])
  for (let at = 0; at < 9; at += 1) expect(add('account', `q${at}`)).toBe('added')
  expect(add('account', 'p2')).toBe('full')
  expect(lines()).toHaveLength(10)
})

it('brings back the replaced lines with their maximums, and keeps lines added since', () => {
  const [first] = lines()
  change('account', first?.id ?? 0, { maxCents: cents(700), seenCents: cents(693) })
  const before = lines()
  const again = newLine('p9', 4)
  const undo = replace('account', [again])
  expect(lines()).toEqual([again])
  change('account', again.id, { maxCents: cents(100) })
  add('account', 'p2')
  expect(undo()).toBe('restored')
  expect(lines().slice(0, 2)).toEqual(before)
  expect(lines().slice(2)).toMatchObject([{ productId: 'p2', qty: 1 }])
})

it('never brings back a line that was placed after it was replaced', () => {
  const [first, second] = lines()
  const undo = replace('account', [])
  removePlaced('account', [first?.id ?? 0])
  expect(undo()).toBe('restored')
  expect(lines()).toEqual([second])
})

it('brings back no line while it is being ordered, and those whose order was rejected', () => {
  const before = lines()
  const ids = before.map(({ id }) => id)
  beginPlacing(ids)
  const undo = replace('account', [newLine('p9', 1)])
  expect(undo()).toBe('placing')
  expect(lines()).toMatchObject([{ productId: 'p9' }])
  endPlacing(ids)
  expect(undo()).toBe('restored')
  expect(lines()).toEqual(before)
})

it('adds a product as its own line while its line is being ordered', () => {
  const ids = lines().map(({ id }) => id)
  beginPlacing(ids)
  add('account', 'p1')
  removePlaced('account', ids)
  endPlacing(ids)
  expect(lines()).toMatchObject([{ productId: 'p1', qty: 1 }])
})

it('leaves the lines that were added while the order was placed', () => {
  const placed = lines().map(({ id }) => id)
  add('account', 'p2')
  removePlaced('account', placed)
  expect(lines()).toMatchObject([{ productId: 'p2', qty: 1 }])
})

it('keeps the order if undoing would make it too long', () => {
  const undo = replace('account', [])
  for (let at = 0; at < 9; at += 1) add('account', `q${at}`)
  expect(undo()).toBe('too-many')
  expect(lines()).toHaveLength(9)
})
