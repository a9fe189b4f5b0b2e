import { afterEach, beforeEach, expect, it } from 'vitest'
import { dashboard, sellerCaller, type TestService } from '../testing/fixture.ts'
import { openShop, type TestShop } from '../testing/shop.ts'

let test: TestService, shop: TestShop, partner: string, seller: string, product: string
let orderId: string
let keyId: string
beforeEach(async () => {
  ;({ test, shop, partner, seller, product } = await openShop())
  await shop.offer(seller, product, 1000, 1)
  orderId = (await shop.order(partner, shop.request(product), 'live', 5)).id
  keyId = (await shop.keysOf(partner, orderId))[0]?.id ?? ''
})
afterEach(() => test.close())

const claim = (more: { orderId?: string; keyId?: string; screenshot?: string } = {}) =>
  test.run('createClaim', dashboard, { body: { orderId, keyId, message: 'Used.', ...more } })

it('a claim that can’t be opened names what is missing or wrong', async () => {
  await expect(claim({ orderId: 'ord_none' })).rejects.toMatchObject({
    message: 'Order not found.',
  })
  await expect(claim({ keyId: 'key_none' })).rejects.toMatchObject({
    message: 'This order has no such key.',
  })
  await expect(claim({ screenshot: 'aGVsbG8=' })).rejects.toMatchObject({
    details: [{ field: 'screenshot', message: 'must be a PNG, JPEG or GIF' }],
  })
  await shop.offer(seller, product, 1000, 1)
  const order = await shop.order(partner, shop.request(product), 'test', 5)
  await expect(claim({ orderId: order.id })).rejects.toMatchObject({
    details: [{ field: 'orderId', message: 'must not be a test order' }],
  })
})

it('a dispute that is unknown or another seller’s is not found', async () => {
  const id = (await claim()).body.disputeId
  expect(id).toMatch(/^dsp_/)
  const missing = { code: 'NOT_FOUND', message: 'Dispute not found.' }
  const rival = sellerCaller(await shop.seller())
  await expect(test.run('getDispute', rival, { params: { id } })).rejects.toMatchObject(missing)
  await expect(
    test.run('escalateDispute', dashboard, { params: { id: 'dsp_none' }, body: {} }),
  ).rejects.toMatchObject(missing)
})

it('a replacement from empty stock says that there is none, and can be repeated with stock', async () => {
  const id = (await claim()).body.disputeId
  const replace = () =>
    test.run('replaceKey', sellerCaller(seller), { params: { id }, body: { fromStock: true } })
  await expect(replace()).rejects.toMatchObject({
    code: 'INSUFFICIENT_STOCK',
    details: { stock: 0 },
  })
  await shop.offer(seller, product, 1000, 1)
  expect((await replace()).body).toMatchObject({
    status: 'resolved',
    resolution: { type: 'replaced', at: '2026-03-01T12:00:00.000Z' },
  })
  const ids = (await shop.keysOf(partner, orderId)).map((unit) => unit.id)
  expect(ids).toEqual([keyId, expect.stringMatching(/^key_/)])
})
