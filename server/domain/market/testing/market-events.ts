import type { MarketCounts, MarketWorld } from '../../ports/market.ts'
import { createTestService, dashboard, type TestService } from '../../testing/fixture.ts'

export interface MarketEvents {
  test: TestService
  /** Acts in the market as its next event, one millisecond from now, and returns the result. */
  act<T>(work: (world: MarketWorld) => T): Promise<T>
  /** The counts of the run that aren't zero. */
  counts(): Promise<Partial<MarketCounts>>
  /** Opens sellers of the market. Returns the ids of all its sellers. */
  openSellers(...names: string[]): Promise<string[]>
  /** Opens a shop through which customers buy, and returns its id. */
  openCustomerShop(): Promise<string>
}

/** A service whose market runs with two sellers and executes only the events of `act`. */
export async function openMarketEvents(seed = 'monday'): Promise<MarketEvents> {
  let event: (world: MarketWorld) => void = () => {}
  const test = createTestService({
    durable: false,
    simulateMarket: (world) => ({
      strategyOf: () => 'matcher',
      start() {},
      plan() {},
      execute: () => event(world),
      createTestDispute: () => null,
    }),
  })
  await test.run('startMarket', dashboard, { body: { seed, intensity: 1, sellers: 2 } })

  async function act<T>(work: (world: MarketWorld) => T): Promise<T> {
    const results: T[] = []
    event = (world) => void results.push(work(world))
    test.store.market.schedule(test.service.clock.now() + 1, '{}')
    await test.run('advanceClock', dashboard, { body: { ms: 1 } })
    if (results.length !== 1) throw new Error(test.takeErrors().join('; '))
    return results[0] as T
  }

  return {
    test,
    act,
    async counts() {
      const { body } = await test.run('getMarket', dashboard)
      return Object.fromEntries(Object.entries(body.counts).filter(([, count]) => count > 0))
    },
    async openSellers(...names) {
      for (const name of names) await act((world) => world.openSeller(name))
      return test.store.market.actors('seller').map(({ accountId }) => accountId)
    },
    async openCustomerShop() {
      await act((world) => world.openShop('Corner Shop'))
      return test.store.market.actors('shop').at(-1)?.accountId ?? ''
    },
  }
}
