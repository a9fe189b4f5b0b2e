import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeWorld, orderable, wireOrder } from '../testing/fake-service.ts'
import type { FakeWorld } from '../testing/fake-service.ts'
import { orderFacts } from './order-facts.ts'

const accountId = 'account'
const minute = 60_000
const release = Date.parse('2026-01-05T10:00:00.000Z')

let world: FakeWorld
let stop: () => void
beforeEach(() => {
  world = createFakeWorld([
    orderable('p1', { releaseDate: '2026-01-05T10:00:00.000Z' }),
    orderable('old', { releaseDate: '2020-01-05' }),
  ])
  stop = () => {}
})
afterEach(async () => {
  stop()
  await world.close()
})

/** An order of both products that the service is still delivering. */
async function preorder(): Promise<void> {
  const [item] = wireOrder('o1').items
  const order = wireOrder('o1', {
    status: 'processing',
    completedAt: null,
    items: [item, { ...item, line: 2, productId: 'old' }],
  })
  world.respond['listOrders'] = () => ({ results: [order] })
  world.respond['getOrder'] = () => order
  stop = world.ready()
  await world.settle()
  world.calls.length = 0
}
const reads = (): number => world.calls.filter(({ operation }) => operation === 'getOrder').length
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 2000) {
    world.clock.advance(Math.min(2000, left))
    await world.settle()
  }
}

test('reads a pre-order rarely until its release, and every 2 seconds from then on', async () => {
  world.clock.advance(release - 40 * minute - world.clock.now())
  await preorder()
  // The regular sync lists the newest orders; it must not count as a reason to read this one.
  world.respond['listOrders'] = () => ({ results: [] })
  await pass(29 * minute)
  expect(reads()).toBe(0)
  await pass(2 * minute)
  expect(reads()).toBe(1)
  await pass(8 * minute)
  expect(reads()).toBe(1)
  await pass(2 * minute)
  expect(reads()).toBeGreaterThan(20)
})

test('reports the release of an order that is being delivered', async () => {
  await preorder()
  expect(world.orders.order({ accountId, orderId: 'o1' }).releaseAt).toBe(release)
  expect(world.orders.list({ accountId }).rows).toMatchObject([{ releaseAt: release }])
  world.store.write(orderFacts(wireOrder('o1') as never, 1))
  expect(world.orders.list({ accountId }).rows).toMatchObject([{ releaseAt: null }])
})
