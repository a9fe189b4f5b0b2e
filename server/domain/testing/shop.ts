import type { BodyOf } from '../../api/handlers.ts'
import { type Cents, cents } from '../../api/money.ts'
import type { OrderRequest } from '../../api/schemas/order.ts'
import type { Mode } from '../../api/schemas/enums.ts'
import {
  createTestService,
  dashboard,
  partnerCaller,
  sellerCaller,
  type TestService,
} from './fixture.ts'

/** Short helpers for the setup that most tests need. */
export function createShop({ run }: TestService) {
  let made = 0
  const next = () => (made += 1)

  const shop = {
    async partner(
      body: Partial<BodyOf<'createPartner'>> = {},
      balance = 1_000_000,
    ): Promise<string> {
      const { id } = (await run('createPartner', dashboard, { body: { name: 'Partner', ...body } }))
        .body
      if (balance > 0) await shop.topUp(id, 'live', balance)
      if (balance > 0) await shop.topUp(id, 'test', balance)
      return id
    },
    async topUp(partnerId: string, mode: Mode, amount: number) {
      const input = { params: { id: partnerId }, body: { mode, amount: cents(amount) } }
      return (await run('createTopUp', dashboard, input)).body
    },
    async seller(body: Partial<BodyOf<'createSeller'>> = {}): Promise<string> {
      return (await run('createSeller', dashboard, { body: { name: 'Seller', ...body } })).body.id
    },
    async product(body: Partial<BodyOf<'createProduct'>> = {}): Promise<string> {
      const kind = {
        platform: 'Steam',
        region: 'Global',
        productType: 'game',
        deliveryType: 'key',
      } as const
      return (
        await run('createProduct', dashboard, {
          body: { name: `Game ${next()}`, ...kind, ...body },
        })
      ).body.id
    },
    /** An offer with the given number of new keys. */
    async offer(sellerId: string, productId: string, price: number, stock = 0) {
      const caller = sellerCaller(sellerId)
      const { offer } = (
        await run('saveOffer', caller, { body: { productId, price: cents(price) } })
      ).body
      if (stock > 0) await shop.upload(sellerId, offer.id, shop.keys(stock))
      return offer
    },
    keys: (count: number): string[] => Array.from({ length: count }, () => `KEY-${next()}`),
    async upload(sellerId: string, offerId: string, keys: string[]) {
      return (
        await run('uploadKeys', sellerCaller(sellerId), { params: { id: offerId }, body: { keys } })
      ).body
    },
    request(productId: string, qty = 1, maxUnitPrice: Cents = cents(1_000_000_000)): OrderRequest {
      return { externalId: `ext-${next()}`, items: [{ productId, qty, maxUnitPrice }] }
    },
    async order(partnerId: string, body: OrderRequest, mode: Mode = 'live', wait?: number) {
      return (
        await run('createOrder', partnerCaller(partnerId, mode), {
          body,
          query: wait === undefined ? {} : { wait },
        })
      ).body
    },
    async getOrder(partnerId: string, id: string, mode: Mode = 'live') {
      return (await run('getOrder', partnerCaller(partnerId, mode), { params: { id } })).body
    },
    async keysOf(partnerId: string, id: string, mode: Mode = 'live') {
      return (await run('getOrderKeys', partnerCaller(partnerId, mode), { params: { id } })).body
        .keys
    },
    async balance(partnerId: string, mode: Mode = 'live') {
      return (await run('getBalance', partnerCaller(partnerId, mode))).body.balance
    },
    async ledger() {
      return (await run('verifyLedger', dashboard)).body
    },
  }
  return shop
}

export type TestShop = ReturnType<typeof createShop>

/** A new service with one partner, one seller and one product without offers. */
export async function openShop() {
  const test = createTestService()
  const shop = createShop(test)
  return {
    test,
    shop,
    partner: await shop.partner(),
    seller: await shop.seller(),
    product: await shop.product(),
  }
}
