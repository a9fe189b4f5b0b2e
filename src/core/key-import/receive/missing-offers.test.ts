import { expect, test } from 'vitest'
import type { ResolvedTarget } from '../check/key-check-task.ts'
import { findMissingOffers } from './missing-offers.ts'

const catalogue = { search: () => Promise.resolve({ rows: [] }) }
const target = (value: string, offerId: string | null = null): ResolvedTarget => ({
  value,
  lines: 1,
  offerId,
  by: offerId === null ? 'none' : 'offer-id',
})

test('counts the values without an offer that are left out after the first 200', async () => {
  const targets = Array.from({ length: 203 }, (_, at) => target(`value ${at}`))
  const all = await findMissingOffers(catalogue, 'seller', [target('own', 'off_1'), ...targets])
  expect([all.rows.length, all.rows.at(-1)?.value, all.left]).toEqual([200, 'value 199', 3])
  const few = await findMissingOffers(catalogue, 'seller', targets.slice(0, 200))
  expect([few.rows.length, few.left]).toEqual([200, 0])
})
