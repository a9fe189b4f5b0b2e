import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ProductQuery } from '../../api/schemas/product.ts'
import { createTestService, partnerCaller, type TestService } from '../testing/fixture.ts'
import { createShop, type TestShop } from '../testing/shop.ts'

let test: TestService
let shop: TestShop
let partner: string
let product: string

/** Three products, of which one has an offer at 11.00. */
beforeEach(async () => {
  test = createTestService({ durable: false })
  shop = createShop(test)
  partner = await shop.partner({}, 0)
  product = await shop.product()
  for (let i = 0; i < 2; i += 1) await shop.product({ platform: 'Xbox' })
  await shop.offer(await shop.seller(), product, 1000, 1)
})
afterEach(() => test.close())

const list = async (query: ProductQuery = {}, of = partner) =>
  (await test.run('listProducts', partnerCaller(of), { query })).body
const priceFor = async (of: string) => (await list({ ids: [product] }, of)).results[0]?.price

it('reads a page again until it was requested twice, and then only after a change', async () => {
  const read = vi.spyOn(test.store.catalogue, 'page')
  for (let i = 0; i < 4; i += 1) await list()
  expect(read).toHaveBeenCalledTimes(2)
  await list({ limit: 2 })
  expect(read).toHaveBeenCalledTimes(3)
  await shop.product()
  expect((await list()).total).toBe(4)
  expect(read).toHaveBeenCalledTimes(4)
})

it('counts the products of a filter once for all of its pages', async () => {
  const count = vi.spyOn(test.store.catalogue, 'count')
  for (const page of [1, 2, 3]) expect(await list({ limit: 1, page })).toMatchObject({ total: 3 })
  expect(count).toHaveBeenCalledTimes(1)
  expect(await list({ limit: 1, platform: 'Xbox' })).toMatchObject({ total: 2, totalPages: 2 })
  expect(await list({ limit: 1, platform: undefined, search: undefined })).toMatchObject({
    total: 3,
  })
  expect(count).toHaveBeenCalledTimes(2)
})

it('never shows a partner the prices of another', async () => {
  const dear = await shop.partner({ priceFactor: 1.5 }, 0)
  for (let i = 0; i < 3; i += 1)
    expect([await priceFor(partner), await priceFor(dear)]).toEqual([1100, 1650])
})

it('reads the filter values once, and again after a change', async () => {
  const read = vi.spyOn(test.store.catalogue, 'meta')
  const platforms = async () =>
    (await test.run('getMeta', partnerCaller(partner))).body.platforms.map(({ value }) => value)
  for (let i = 0; i < 3; i += 1) expect(await platforms()).toEqual(['Steam', 'Xbox'])
  expect(read).toHaveBeenCalledTimes(1)
  await shop.product({ platform: 'Epic' })
  expect(await platforms()).toContain('Epic')
})
