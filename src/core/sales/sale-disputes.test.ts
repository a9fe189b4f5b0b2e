import DatabaseConstructor from 'better-sqlite3'
import { expect, test } from 'vitest'
import { migrate } from '../mirror/database/migrate.ts'
import { salesSchema } from './schema.ts'
import { saleStore } from './store.ts'
import type { SaleDispute, SaleStore } from './store.ts'
import { saleFacts } from './sync/facts.ts'

const SOLD = '2026-01-05T09:00:00.000Z'

function storeWithSale(): SaleStore {
  const db = new DatabaseConstructor(':memory:')
  migrate(db, [salesSchema])
  const store = saleStore(db)
  const sale = { id: 'sal_1', name: 'Ironwharf', status: 'pending', soldAt: SOLD } as const
  store.put(saleFacts(sale), null, 1, 1, 1)
  return store
}
const dispute = (disputeId: string, openedAt: number, more: Partial<SaleDispute> = {}) => ({
  saleId: 'sal_1',
  disputeId,
  unresolved: true,
  state: 'open',
  openedAt,
  ...more,
})
const resolved = { unresolved: false, state: 'resolved rejected' }
const shown = (store: SaleStore): unknown[] => {
  const sale = store.find('sal_1')
  return [sale?.held, sale?.dispute_id]
}

test('holds a sale while any of its disputes is open, in every order of reading them', () => {
  const disputes = [
    dispute('dsp_b', 1),
    dispute('dsp_c', 2, resolved),
    dispute('dsp_a', 0, resolved),
  ]
  for (const order of [disputes, disputes.toReversed()]) {
    const store = storeWithSale()
    for (const each of order) store.recordDispute(each, 1)
    expect(shown(store)).toEqual([1, 'dsp_b'])
    // A second poll reads the same states: nothing is new.
    for (const each of order) expect(store.recordDispute(each, 2)).toBe(false)
    expect(shown(store)).toEqual([1, 'dsp_b'])
    expect(store.recordDispute(dispute('dsp_b', 1, resolved), 3)).toBe(true)
    expect(shown(store)).toEqual([0, 'dsp_c'])
  }
})

test('shows the disputes of a sale that is read after them', () => {
  const store = storeWithSale()
  store.recordDispute(dispute('dsp_b', 1, { saleId: 'sal_2' }), 1)
  store.recordDispute(dispute('dsp_a', 2, { ...resolved, saleId: 'sal_2' }), 1)
  store.put(saleFacts({ id: 'sal_2', status: 'pending', soldAt: SOLD }), null, 1, 1, 1)
  expect(store.find('sal_2')).toMatchObject({ held: 1, dispute_id: 'dsp_b' })
})

test('no longer holds a sale for a dispute that the service doesn’t have any more', () => {
  const store = storeWithSale()
  store.recordDispute(dispute('dsp_a', 1, resolved), 1)
  store.recordDispute(dispute('dsp_b', 2), 1)
  store.forgetDispute('dsp_b', 5)
  expect(shown(store)).toEqual([0, 'dsp_a'])
  expect(store.find('sal_1')?.look_at).toBe(5)
})

test('keeps the disputes that an earlier version stored, one for each sale', () => {
  const db = new DatabaseConstructor(':memory:')
  migrate(db, [{ ...salesSchema, steps: salesSchema.steps.slice(0, 2) }])
  db.exec(`
    INSERT INTO sales (sale_id, name, name_key, status, held, dispute_id, seen_at, pass)
      VALUES ('sal_1', 'Ironwharf', 'ironwharf', 'pending', 1, 'dsp_b', 1, 1);
    INSERT INTO sale_disputes VALUES ('sal_1', 'dsp_b', 1, 'open')`)
  migrate(db, [salesSchema])
  const store = saleStore(db)
  expect(shown(store)).toEqual([1, 'dsp_b'])
  expect(store.recordDispute(dispute('dsp_b', 1), 2)).toBe(false)
  store.recordDispute(dispute('dsp_a', 0, resolved), 2)
  expect(shown(store)).toEqual([1, 'dsp_b'])
})

test('shows the newest dispute when only the time of its opening becomes known', () => {
  const store = storeWithSale()
  // An earlier version stored no times, so that the id decided.
  for (const disputeId of ['dsp_a', 'dsp_b'])
    store.recordDispute({ ...dispute(disputeId, 0, resolved), openedAt: null }, 1)
  expect(shown(store)).toEqual([0, 'dsp_b'])
  const dueBefore = store.find('sal_1')?.look_at
  expect(store.recordDispute(dispute('dsp_b', 1, resolved), 7)).toBe(false)
  expect(store.recordDispute(dispute('dsp_a', 2, resolved), 7)).toBe(false)
  expect(shown(store)).toEqual([0, 'dsp_a'])
  expect(store.find('sal_1')?.look_at, 'the sale isn’t read again').toBe(dueBefore)
})
