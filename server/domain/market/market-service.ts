import { createAccounts } from '../access/accounts.ts'
import type { Context } from '../context.ts'
import { createDelivery } from '../delivery/delivery.ts'
import { createDisputeSettlement } from '../disputes/dispute-settlement.ts'
import { createDisputes } from '../disputes/disputes.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { createMarket, type Market } from './market.ts'
import { createMarketIds, createMarketWorld, type CurrentEvent } from './market-world.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'
import { createOffers } from '../offers/offers.ts'
import { createOrders } from '../orders/orders.ts'
import type { SimulateMarket, Simulation } from '../ports/market.ts'
import type { Supplier } from '../ports/ordering/supplier.ts'
import type { EarningReleases } from '../ledger/earning-releases.ts'
import { createStock } from '../stock/stock.ts'
import type { Supply } from '../catalogue/supply.ts'
import { createTopUps } from '../ledger/top-ups.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'

/** The parts of the service that the market shares. */
export interface MarketNeeds {
  ledger: Ledger
  supply: Supply
  terms: OfferTerms
  supplier: Supplier
  releases: EarningReleases
  webhooks: Webhooks
}

export interface MarketService {
  market: Market
  simulation: Simulation
}

/**
 * Runs the market through the service's own rules, with a clock that shows the time of the current
 * event and ids derived from the seed.
 */
export function createMarketService(
  service: Context,
  needs: MarketNeeds,
  simulate: SimulateMarket,
): MarketService {
  const { ledger, supply, terms, supplier, releases, webhooks } = needs
  let present: CurrentEvent | null = null
  const currentEvent = (): CurrentEvent => {
    if (!present) throw new Error('the market can only act during one of its events')
    return present
  }
  const context: Context = {
    ...service,
    clock: { now: () => currentEvent().at },
    ids: createMarketIds(currentEvent),
  }
  const offers = createOffers(context, supply, terms)
  const world = createMarketWorld(
    {
      context,
      offers,
      ledger,
      accounts: createAccounts(context, supply, terms, () => undefined),
      stock: createStock(context, supply, offers),
      orders: createOrders(context, ledger, supply, supplier),
      delivery: createDelivery(context, ledger, supply, supplier),
      topUps: createTopUps(context, ledger, {
        credited: webhooks.credited,
        mailed: () => undefined,
      }),
      disputes: createDisputes(context, releases),
      settlement: createDisputeSettlement(context, ledger, supply, releases),
      orderFinal: webhooks.orderFinal,
    },
    currentEvent,
  )
  const simulation = simulate(world)
  const market = createMarket(service, simulation, (entered) => {
    present = entered
  })
  return { market, simulation }
}
