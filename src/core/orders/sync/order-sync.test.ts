import { expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import type { Order } from '../../../../server/api/schemas/order.ts'
import type { ServiceConnection } from '../../context.ts'
import { createMirrors } from '../../mirror/files/mirrors.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { syncOrders } from './order-sync.ts'
import { ordersSchemas } from '../orders.ts'
import { createOrderStore } from '../store.ts'

/** A service with orders, newest first; it fails from page `killAt` on. */
function service() {
  const orders: Pick<Order, 'id' | 'status'>[] = []
  const state = { killAt: Number.POSITIVE_INFINITY, pages: 0 }
  const call = (async (
    _operation: string,
    { query }: { query: { page: number; limit: number } },
  ) => {
    if (query.page >= state.killAt) throw new Error('killed')
    state.pages += 1
    const results = orders.slice((query.page - 1) * query.limit, query.page * query.limit)
    return {
      results: results.map((order) => ({
        ...order,
        externalId: order.id,
        mode: 'live',
        currency: 'EUR',
        total: cents(100),
        refunded: cents(0),
        createdAt: '2026-01-05T09:00:00.000Z',
        completedAt: null,
        failure: null,
        items: [],
      })),
    }
  }) as unknown as ServiceConnection['call']
  const place = (count: number): void => {
    for (let at = 0; at < count; at += 1)
      orders.unshift({ id: `ord_${String(orders.length).padStart(5, '0')}`, status: 'completed' })
  }
  return { orders, state, place, line: { call } }
}

test('leaves out no order when a sync of the newest orders is killed between two pages', async () => {
  const shop = service()
  const folder = temporaryFolder()
  const mirrors = createMirrors(folder.path, ordersSchemas)
  const store = createOrderStore(mirrors.database('a'))
  const clock = manualClock()
  const context = {
    clock,
    changes: {
      notify: () => {},
      listen: () => {
        throw new Error('not in this test')
      },
    },
    notices: { notify: () => {} },
  }
  const read = (): Promise<boolean> =>
    syncOrders(context, 'a', store, shop.line, new AbortController().signal)
  shop.place(120)
  expect(store.history().readAt).toBeNull()
  await read()
  const firstReadAt = store.history().readAt
  expect(firstReadAt).toBe(clock.now())
  clock.advance(60_000)
  shop.place(350)
  shop.state.killAt = 3
  await expect(read()).rejects.toThrow('killed')
  expect(store.history().readAt, 'the list wasn’t read to its end').toBe(firstReadAt)
  shop.place(30)
  shop.state.killAt = Number.POSITIVE_INFINITY
  expect(await read()).toBe(true)
  expect(store.history().readAt).toBe(clock.now())
  await read()
  expect(store.count()).toBe(shop.orders.length)
  shop.state.pages = 0
  expect(await read()).toBe(false)
  expect(shop.state.pages).toBe(1)
  mirrors.close()
  folder.remove()
})
