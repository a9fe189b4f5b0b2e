import { type Handlers, withFieldCheck } from '../../api/handlers.ts'
import { type PriceFactor, priceFactor } from '../../api/money.ts'
import { CURRENCY } from '../../api/schemas/enums.ts'
import { instantMs, instantText } from '../context.ts'
import { deliveredValue } from '../stock/key-rules.ts'
import { reachCrashPoint } from '../crash-points.ts'
import { orderView } from '../orders/order-view.ts'
import type { OrderFilter } from '../ports/ordering/orders.ts'
import type { Parts } from './parts.ts'

/** The Partner API's operations, except webhooks. */
export function partnerHandlers(parts: Parts) {
  const { context, accounts, catalogue, ledger, listPages, orderRequests, orders } = parts
  const { store, clock } = context
  const factors = new Map<string, PriceFactor>()

  /** A partner's factor never changes, so it is read only once. */
  function factorOf(partnerId: string): PriceFactor {
    const known = factors.get(partnerId)
    if (known !== undefined) return known
    const factor = priceFactor(accounts.partner(partnerId).priceFactor)
    factors.set(partnerId, factor)
    return factor
  }

  return {
    ping: ({ caller, address }) => ({
      status: 200,
      body: {
        ok: true,
        partnerId: caller.partnerId,
        mode: caller.mode,
        scopes: [...caller.scopes],
        ip: address,
      },
    }),
    getBalance: ({ caller: { partnerId, mode } }) => ({
      status: 200,
      body: { balance: ledger.partnerBalance(partnerId, mode), currency: CURRENCY, mode },
    }),
    listProducts: withFieldCheck<'listProducts'>(
      ({ query }) => catalogue.cursorProblems(query),
      ({ caller, origin }, { query }) => catalogue.page(query, factorOf(caller.partnerId), origin),
    ),
    getProduct: ({ caller, origin }, { params }) =>
      catalogue.product(params.id, factorOf(caller.partnerId), origin),
    getMeta: () => ({ status: 200, body: catalogue.meta() }),
    createOrder: (call, { query, body }) => orderRequests.place(call, body, query.wait ?? 0),
    listOrders: ({ caller: { partnerId, mode } }, { query }) =>
      listPages('listOrders', `${partnerId} ${mode}`, query, (offset, limit) => {
        const filter: OrderFilter = { partnerId, mode }
        if (query.status !== undefined) filter.status = query.status
        if (query.externalId !== undefined) filter.externalId = query.externalId
        if (query.createdFrom !== undefined) filter.createdFrom = instantMs(query.createdFrom)
        if (query.createdTo !== undefined) filter.createdTo = instantMs(query.createdTo)
        const results = store.orders.page(filter, offset, limit).map(orderView)
        return { total: store.orders.count(filter), results }
      }),
    getOrder: ({ caller: { partnerId, mode } }, { params }) => ({
      status: 200,
      body: orderView(orders.own(partnerId, mode, params.id)),
    }),
    getOrderKeys({ caller: { partnerId, mode }, withoutBody }, { params }) {
      const order = orders.own(partnerId, mode, params.id)
      const units = store.orders.delivered(order.no)
      if (units.length > 0 && order.firstDownloadedAt === null && !withoutBody) {
        store.transaction(() => store.orders.markDownloaded(order.no, clock.now()))
        reachCrashPoint('keys.proved')
      }
      const keys = units.map(
        ({ id, line, productId, deliveryType, contentType, value, deliveredAt }) => ({
          id,
          line,
          productId,
          deliveryType,
          contentType,
          value: deliveredValue(value, contentType),
          status: 'delivered' as const,
          deliveredAt: instantText(deliveredAt),
        }),
      )
      return { status: 200, body: { orderId: order.id, keys } }
    },
  } satisfies Handlers
}
