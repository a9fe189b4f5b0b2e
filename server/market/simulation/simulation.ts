import type { SimulateMarket } from '../../domain/ports/market.ts'
import { createComplaints } from './claims.ts'
import { createDemand } from './demand.ts'
import { type MarketEvent, readEvent } from './events.ts'
import { createCompetitors, strategyOf } from './sellers.ts'

/**
 * The moving market (docs/service/sandbox.md): competitors with strategies, customers that buy and
 * complain. Each decision draws its own chance from the seed and what it is about, and all that is
 * yet to happen is written down: the same seed on the same world gives the same days.
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
    execute: (event) => carryOut(readEvent(event)),
    createTestDispute: complaints.complain,
  }
}
