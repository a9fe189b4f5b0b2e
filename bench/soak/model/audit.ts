/** Compares everything that the service shows with the model. */
import { modes } from '../../../server/api/schemas/enums.ts'
import { agree, Difference, list, text } from './difference.ts'
import { proveLedger } from './invariants.ts'
import type { Model } from './state.ts'
import type { Asking } from './system.ts'
import { compareOffers } from './commands/offers.ts'
import {
  disputeView,
  euros,
  ledgerView,
  messagesView,
  orderView,
  productView,
  saleView,
  sellerBalanceView,
  sellerProductView,
} from './views.ts'
import type { World } from './world.ts'
import { dashboard, demand } from './world.ts'

/** All pages of a list. */
async function all(world: World, asking: Asking): Promise<unknown[]> {
  const found: unknown[] = []
  for (let page = 1; ; page += 1) {
    const body = await demand(
      world,
      {
        ...asking,
        path: `${asking.path}${asking.path.includes('?') ? '&' : '?'}limit=100&page=${page}`,
      },
      200,
    )
    const results = list(body, 'results')
    found.push(...results)
    if (results.length < 100) return found
  }
}

async function compareOrders(model: Model, world: World): Promise<void> {
  for (const partner of model.partners) {
    for (const mode of modes) {
      const key = partner.keys[mode]
      agree(
        await demand(world, { key, method: 'GET', path: '/v1/balance' }, 200),
        { balance: euros(partner.balance[mode]), mode },
        'balance',
      )
      const shown = new Map(
        (await all(world, { key, method: 'GET', path: '/v1/orders' })).map((order) => [
          text(order, 'id'),
          order,
        ]),
      )
      const own = model.orders.filter((order) => order.partner === partner && order.mode === mode)
      if (shown.size !== own.length)
        throw new Difference(
          shown.size < own.length ? 'lost' : 'twice',
          `${shown.size} orders in ${mode}, the model has ${own.length}`,
        )
      for (const order of own)
        agree(shown.get(order.id), orderView(order), `listed order ${order.id}`)
      agree(
        await all(world, dashboard('GET', `/partners/${partner.id}/ledger?mode=${mode}`)),
        ledgerView(partner, mode),
        `ledger of ${partner.id} in ${mode}`,
      )
    }
  }
}

/** The catalogue at each partner's own prices, without removed products. */
async function comparePrices(model: Model, world: World): Promise<void> {
  for (const partner of model.partners) {
    const shown = new Map(
      (await all(world, { key: partner.keys.test, method: 'GET', path: '/v1/products' })).map(
        (product) => [text(product, 'id'), product],
      ),
    )
    const sold = model.products.filter(({ removed }) => !removed)
    if (shown.size !== sold.length)
      throw new Difference('wrong', `${shown.size} products for sale, the model has ${sold.length}`)
    for (const product of sold)
      agree(
        shown.get(product.id),
        productView(model, partner, product),
        `product ${product.id} for ${partner.id}`,
      )
  }
}

/** Sales of one order at one price can come in any order; the sold key identifies them. */
async function compareSales(model: Model, world: World): Promise<void> {
  for (const seller of model.sellers) {
    const shown = await all(world, { key: seller.key, method: 'GET', path: '/v1/seller/sales' })
    const nameOf = (sale: unknown): string =>
      `${text(sale, 'orderId')} ${text(sale, 'offerId')} ${text(sale, 'keySha256')}`
    const byName = new Map(shown.map((sale) => [nameOf(sale), sale]))
    if (byName.size !== shown.length)
      throw new Difference('twice', `a key was sold twice to one order by ${seller.id}`)
    const own = model.sales
      .filter(({ offer }) => offer.seller === seller)
      .map((sale) => saleView(sale))
    if (shown.length !== own.length)
      throw new Difference(
        shown.length < own.length ? 'lost' : 'twice',
        `${shown.length} sales of ${seller.id}, the model has ${own.length}`,
      )
    for (const sale of own) agree(byName.get(nameOf(sale)), sale, `sale of ${nameOf(sale)}`)
    agree(
      await demand(world, { key: seller.key, method: 'GET', path: '/v1/seller/balance' }, 200),
      sellerBalanceView(model, seller),
      `balance of ${seller.id}`,
    )
  }
}

async function compareDisputes(model: Model, world: World): Promise<void> {
  for (const seller of model.sellers) {
    const shown = new Map(
      (await all(world, { key: seller.key, method: 'GET', path: '/v1/seller/disputes' })).map(
        (dispute) => [text(dispute, 'id'), dispute],
      ),
    )
    const own = model.disputes.filter(({ sale }) => sale.offer.seller === seller)
    if (shown.size !== own.length)
      throw new Difference(
        'lost',
        `${shown.size} disputes of ${seller.id}, the model has ${own.length}`,
      )
    for (const dispute of own)
      agree(shown.get(dispute.id), disputeView(dispute), `dispute ${dispute.id}`)
    const last = own.at(-1)
    if (last)
      agree(
        await demand(
          world,
          { key: seller.key, method: 'GET', path: `/v1/seller/disputes/${last.id}` },
          200,
        ),
        { messages: messagesView(last) },
        `messages of ${last.id}`,
      )
  }
}

async function compareSellersCatalogue(model: Model, world: World): Promise<void> {
  for (const seller of model.sellers) {
    const shown = new Map(
      (await all(world, { key: seller.key, method: 'GET', path: '/v1/seller/products' })).map(
        (product) => [text(product, 'productId'), product],
      ),
    )
    for (const product of model.products) {
      if (!product.removed)
        agree(
          shown.get(product.id),
          sellerProductView(model, seller, product),
          `product ${product.id} as sellers see it`,
        )
    }
  }
}

/** Each finished order adds up: every charged amount was delivered or credited back. */
function judgeSums(model: Model): void {
  for (const { id, status, total, refunded, lines } of model.orders) {
    const delivered = lines.reduce(
      (sum, { unitPrice, deliveredQty }) => sum + unitPrice * deliveredQty,
      0,
    )
    if (status !== 'processing' && total !== delivered + refunded)
      throw new Difference('wrong', `order ${id} doesn't add up`)
  }
}

/**
 * Compares orders, ledgers, offers, sales, disputes and catalogue, page by page, and verifies the
 * ledger.
 */
export async function audit(model: Model, world: World): Promise<void> {
  judgeSums(model)
  await compareOrders(model, world)
  await comparePrices(model, world)
  await compareOffers(model, world)
  await compareSales(model, world)
  await compareDisputes(model, world)
  await compareSellersCatalogue(model, world)
  await proveLedger(world)
}
