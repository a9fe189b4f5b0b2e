import type { ResultOf, Handlers } from '../../api/handlers.ts'
import { ApiError } from '../../api/errors.ts'
import { instantText, instantTextOrNull } from '../context.ts'
import { zeroCounts } from '../market/market.ts'
import type { MarketService } from '../market/market-service.ts'
import type { Repositories } from '../ports/repositories.ts'

/**
 * The market simulation on the dashboard interface. `changed` is called when the next due time may
 * have changed.
 */
export function marketHandlers(
  store: Repositories,
  { market, simulation }: MarketService,
  changed: () => void,
) {
  function state(): ResultOf<'getMarket'> {
    const run = store.market.run()
    if (!run) {
      const never = {
        seed: null,
        intensity: 0,
        sellers: 0,
        customers: 0,
        since: null,
        nextDueAt: null,
        counts: zeroCounts(),
      }
      return { status: 200, body: { running: false, ...never, competitors: [], shops: [] } }
    }
    const { running, seed, intensity, sellers, customers, since, counts } = run
    const competitors = store.market
      .actors('seller')
      .slice(0, sellers)
      .map(({ accountId }, place) => ({
        sellerId: accountId,
        name: store.accounts.seller(accountId)?.name ?? '',
        strategy: simulation.strategyOf(seed, place),
      }))
    const shops = store.market.actors('shop').map(({ accountId }) => ({
      partnerId: accountId,
      name: store.accounts.partner(accountId)?.name ?? '',
    }))
    return {
      status: 200,
      body: {
        running,
        seed,
        intensity,
        sellers,
        customers,
        counts,
        competitors,
        shops,
        since: instantText(since),
        nextDueAt: instantTextOrNull(market.nextAt()),
      },
    }
  }

  return {
    startMarket(_call, { body }) {
      market.start(body)
      changed()
      return state()
    },
    complain(_call, { body: { orderId, keyId } }) {
      const order = store.orders.find(orderId)
      const unit = order && store.disputes.claimedUnit(order.no, keyId)
      const sale = unit && store.sales.ofUnit(unit.no)
      if (!unit || !sale) throw new ApiError('NOT_FOUND', 'This order has no such key.')
      if (store.disputes.isClaimed(unit.no)) throw new ApiError('CLAIM_EXISTS')
      const disputeId = market.createTestDispute({ orderId, keyId, productId: sale.productId })
      if (disputeId === null) throw new ApiError('CLAIM_WINDOW_CLOSED')
      changed()
      return { status: 201, body: { disputeId } }
    },
    getMarket: state,
    stopMarket() {
      market.stop()
      return state()
    },
  } satisfies Handlers
}
