import { expect, test } from 'vitest'
import { createReleases } from './release.ts'
import type { OrderStore } from './store.ts'
import type { OrderableProducts } from './place/orderable-products.ts'
import { orderFacts } from './sync/order-facts.ts'
import { createFakeWorld, orderable, wireOrder } from './testing/fake-service.ts'
import { variantReader, withVariants } from './variants.ts'

const products = [
  orderable('p1', { platform: 'Steam', region: 'Europe', releaseDate: '2026-03-01' }),
  orderable('p2', { platform: 'Xbox', region: 'Global', releaseDate: '2026-05-01' }),
  orderable('p3', { releaseDate: null }),
]
const read: string[][] = []
const catalogue: OrderableProducts = (_accountId, ids) => {
  read.push([...ids])
  return ids.map((id) => products.find(({ productId }) => productId === id) ?? null)
}

test('adds platform, region and delivery type, which are empty for an unknown product', () => {
  const records = [
    { productId: 'p2', n: 1 },
    { productId: null, n: 2 },
    { productId: 'none', n: 3 },
  ]
  expect(withVariants(catalogue, 'a', records)).toEqual([
    { productId: 'p2', n: 1, platform: 'Xbox', region: 'Global', deliveryType: 'key' },
    { productId: null, n: 2, platform: '', region: '', deliveryType: '' },
    { productId: 'none', n: 3, platform: '', region: '', deliveryType: '' },
  ])
})

test('keeps the delivery type that a record reports itself', () => {
  const records = [{ productId: 'p2', deliveryType: 'gift' }]
  expect(withVariants(catalogue, 'a', records)).toMatchObject([{ deliveryType: 'gift' }])
})

test('reads each product of the catalogue once', () => {
  read.length = 0
  const reader = variantReader(catalogue, 'a')
  const record = (productId: string) => ({ productId })
  reader([record('p1'), record('p1'), record('none')])
  expect(reader([record('p2'), record('p1'), record('none')])).toMatchObject([
    { platform: 'Xbox' },
    { platform: 'Steam', region: 'Europe' },
    { platform: '' },
  ])
  expect(read.map((ids) => ids.toSorted())).toEqual([['none', 'p1'], ['p2']])
})

test.each([
  ['the last of its products', ['p1', 'p2', 'p3', 'none'], Date.UTC(2026, 4, 1)],
  ['its only product', ['p1', 'p1'], Date.UTC(2026, 2, 1)],
  ['none when no release date is known', ['p3', 'none'], null],
  ['none without lines', null, null],
])('takes the release of an order from %s', (_what, productIds, expected) => {
  const lines = new Map(
    productIds === null ? [] : [['o1', productIds.map((productId) => ({ productId }))]],
  )
  const store = { linesOf: () => lines } as unknown as OrderStore
  expect(createReleases(catalogue, () => store)('a', 'o1')).toBe(expected)
})

test('leaves platform and region of an order without known lines empty, for other features too', async () => {
  const world = createFakeWorld(products)
  const order = wireOrder('o1', { items: [], failure: { code: 'OUT_OF_STOCK', message: 'None.' } })
  world.store.write(orderFacts(order as never, 1))
  expect(world.orders.order({ accountId: 'account', orderId: 'o1' })).toMatchObject({
    platform: '',
    region: '',
    items: [],
    releaseAt: null,
  })
  const records = [{ productId: 'p2' }, { productId: null }]
  expect(world.orders.access.withVariants('account', records)).toEqual([
    { productId: 'p2', platform: 'Xbox', region: 'Global', deliveryType: 'key' },
    { productId: null, platform: '', region: '', deliveryType: '' },
  ])
  await world.close()
})
