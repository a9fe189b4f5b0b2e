import type { SimulateMarket } from '../../domain/ports/market.ts'
import { createComplaints } from './complaints.ts'
import { createDemand } from './demand.ts'
import { type MarketEvent, parseEvent } from './events.ts'
import { createCompetitors, strategyOf } from './competitors/competitors.ts'

/**
 * The simulated market (docs/service/sandbox.md): competitors with strategies, and customers that
 * buy and complain. Each decision gets its own random stream from the seed and its subject, and all
 * pending events are stored: the same seed on the same data gives the same events.
 */
export const simulateMarket: SimulateMarket = (world) => {
  const competitors = createCompetitors(world)
  const demand = createDemand(world)
  const complaints = createComplaints(world)

  function visit(customer: number, productId: string): void {
    const bought = demand.visit(customer, productId)
    const product = bought && world.product(productId)
    if (product) complaints.follow(bought, customer, product)
  }

  function carryOut(event: MarketEvent): void {
    switch (event.kind) {
      case 'round':
        return competitors.round(event.seller)
      case 'look-around':
        return competitors.lookAround(event.seller)
      case 'visit':
        return visit(event.customer, event.product)
      case 'claim':
        return complaints.claim(event)
      case 'look-again':
        return complaints.lookAgain(event)
      case 'settle':
        return complaints.settle(event)
    }
  }

  return {
    strategyOf,
    start: competitors.begin,
    plan(to) {
      competitors.plan(to)
      demand.plan(to)
    },
    execute: (event) => carryOut(parseEvent(event)),
    createTestDispute: complaints.complain,
  }
}
