import { afterAll, describe, expect, it } from 'vitest'
import { rawShop, refused, startRaw } from '../testing/raw-service.ts'

const service = await startRaw()
const shop = rawShop(service)
afterAll(() => service.stop())

const seller = await shop.seller()
const partner = await shop.partner()
const productId = await shop.product()
const offer = await shop.offer(seller, productId, 10, ['A-1', 'A-2', 'A-3'])
const { id: order, keys } = await shop.buy(partner, productId)
const dispute = await shop.claim(order, keys[0]?.id)

/** The offer and the dispute as the seller reads them. */
const state = async () => [
  (await seller.call('GET', `/offers/${offer}`)).body,
  (await seller.call('GET', `/disputes/${dispute}`)).body,
]

describe('a typing mistake never moves keys or prices', () => {
  it.each([
    ['POST', '/offers', { productId, price: 10, Status: 'paused' }, 'Status'],
    ['PATCH', `/offers/${offer}`, { price: 10, Price: 12 }, 'Price'],
    ['POST', `/offers/${offer}/keys`, { keys: ['B-1'], replace: true }, 'replace'],
    ['POST', `/offers/${offer}/withdraw`, { Count: 1 }, 'Count'],
    ['POST', `/offers/${offer}/withdraw`, { qty: 1 }, 'qty'],
    ['POST', `/offers/${offer}/withdraw?count=1`, {}, 'count'],
    ['POST', `/offers/${offer}/withdraw?count=1`, undefined, 'count'],
    ['POST', `/disputes/${dispute}/replace`, { fromStock: true, count: 1 }, 'count'],
    ['POST', `/disputes/${dispute}/replace?fromStock=true`, { fromStock: true }, 'fromStock'],
    ['POST', `/disputes/${dispute}/messages`, { body: 'Hello', text: 'Hello' }, 'text'],
  ])('%s %s with %j is refused', async (method, path, body, field) => {
    const before = await state()
    const answer = await seller.call(method, path, body)
    expect(refused(answer)).toEqual([400, 'VALIDATION_ERROR', field])
    expect(await state()).toEqual(before)
  })
})
