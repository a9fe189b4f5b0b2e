import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  expected,
  listWithKills,
  pollOf,
  pollWithKill,
  saleMirror,
  saleService,
  stored,
} from '../testing/sale-service.ts'

test('lists 20,000 sales once while more come in, and resumes at the reached page after kills', async () => {
  const [shop, store] = [saleService(20_000), saleMirror()]
  const { kills, again } = await listWithKills(shop, store, 37)
  expect(store.listing().complete).toBe(true)
  expect(kills).toBeGreaterThanOrEqual(5)
  expect(again.length).toBeLessThan(10)
  await pollOf(shop, store)
  expect(stored(store)).toEqual(expected(shop))
})

test('leaves no sale out if polls of the newest are killed between their pages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ more: fc.nat(350), killAt: fc.nat(5) }), { maxLength: 4 }),
      async (polls) => {
        const [shop, store] = [saleService(150), saleMirror()]
        await pollOf(shop, store)
        for (const each of polls) await pollWithKill(shop, store, each)
        await pollOf(shop, store)
        expect(stored(store)).toEqual(expected(shop))
      },
    ),
    { numRuns: 12 },
  )
})
