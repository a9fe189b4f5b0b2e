import { afterAll, describe, expect, it } from 'vitest'
import { cents } from '../../api/money.ts'
import { productPage, productWithTiers } from '../../api/schemas/product.ts'
import { startHarness } from '../testing/harness.ts'

const world = await startHarness()
const partner = await world.partner({ priceFactor: 1.1 }, { balance: 100_000 })
afterAll(() => world.close())

const product = async (id: string) =>
  productWithTiers.strict.parse((await world.as(partner.key, `/v1/products/${id}`)).json)
/** A product with an offer for each price and stock, in cents and units. */
async function productWith(...offers: readonly (readonly [price: number, stock: number])[]) {
  const id = await world.product()
  for (const [price, stock] of offers) await world.offer(await world.seller(), id, price, stock)
  return id
}
const place = (productId: string, qty: number, maxUnitPrice: number) =>
  world.as(partner.key, '/v1/orders', {
    method: 'POST',
    body: { externalId: world.fresh('tier'), items: [{ productId, qty, maxUnitPrice }] },
  })

describe('priceTiers of GET /products/{id}', () => {
  it('are the unit prices for 1 to 9 units, in the shortest form', async () => {
    const id = await productWith([1000, 2], [2000, 3], [3000, 20])
    expect(await product(id)).toMatchObject({
      price: 1210,
      priceTiers: [
        { minQty: 1, unitPrice: 1210 },
        { minQty: 3, unitPrice: 2420 },
        { minQty: 6, unitPrice: 3630 },
      ],
    })
  })

  it('combine offers of one price, and end with the stock', async () => {
    expect(await product(await productWith([1000, 2], [1000, 2], [1500, 1]))).toMatchObject({
      qty: 5,
      priceTiers: [
        { minQty: 1, unitPrice: 1210 },
        { minQty: 5, unitPrice: 1815 },
      ],
    })
    // The tenth unit costs more, but a line has at most nine.
    expect((await product(await productWith([1000, 9], [2000, 9]))).priceTiers).toHaveLength(1)
    expect((await product(await world.product())).priceTiers).toEqual([])
  })

  it('are exactly what an order of that many units accepts and pays', async () => {
    const id = await productWith([1000, 2], [2000, 9])
    const { priceTiers } = await product(id)
    for (const qty of [2, 3]) {
      const unitPrice = priceTiers.findLast(({ minQty }) => minQty <= qty)?.unitPrice ?? cents(0)
      const refused = await place(id, qty, (unitPrice - 1) / 100)
      expect(refused.json).toMatchObject({
        error: { code: 'PRICE_CHANGED', details: { currentPrice: unitPrice / 100 } },
      })
    }
    expect(await place(id, 3, 24.2)).toMatchObject({
      status: 201,
      json: { items: [{ unitPrice: 24.2 }] },
    })
  })

  it('are not part of the lists, and never move updatedAt', async () => {
    const id = await productWith([1000, 3], [3000, 150])
    const before = await product(id)
    const list = await world.as(partner.key, `/v1/products?ids=${id}`)
    expect(productPage.strict.parse(list.json).results[0]).not.toHaveProperty('priceTiers')
    await world.offer(await world.seller(), id, 2000, 5)
    const after = await product(id)
    expect(after.priceTiers).toHaveLength(before.priceTiers.length + 1)
    expect(after.updatedAt).toBe(before.updatedAt)
  })
})
