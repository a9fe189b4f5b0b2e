import { cents } from '../../../../server/api/money.ts'
import { newRuleDefaults } from '../../../contract/price-watch/price-rules.ts'
import type { PriceRule } from '../../../contract/price-watch/price-rules.ts'
import { catalogueSchema } from '../../catalogue/catalogue.ts'
import { startBackend } from '../../mirror/testing/backend.ts'
import type { DemoBackend } from '../../mirror/testing/backend.ts'
import { IN_FLIGHT_MS } from '../../journaled-send/journaled-send.ts'
import { createMirrorHarness } from '../../mirror/testing/harness.ts'
import type { MirrorHarness } from '../../mirror/testing/harness.ts'
import { offersFeature, offersSchemas } from '../../offers/offers.ts'
import type { Offers } from '../../offers/offers.ts'
import { outboxFeature, outboxSchema } from '../../outbox/outbox.ts'
import { salesSchema } from '../../sales/sales.ts'
import { createFaultyConnection } from '../../testing/faulty-connection.ts'
import { skippingClock } from '../../testing/skipping-clock.ts'
import { startFeature } from '../../testing/start-feature.ts'
import type { Started } from '../../testing/start-feature.ts'
import { priceWatchFeature, priceWatchSchema } from '../price-watch.ts'
import type { PriceWatch } from '../price-watch.ts'
import { priceRulesFeature } from '../rules/price-rules.ts'

const accountId = 'seller'

export interface WatchedSeller extends Pick<DemoBackend, 'seller'> {
  harness: MirrorHarness
  offers: Started<Offers>
  watch: Started<PriceWatch>
  /** The faults of the connection to the service. */
  faults: ReturnType<typeof createFaultyConnection>
  market(
    tab?: 'losing' | 'proposals' | 'held' | 'all',
  ): Promise<Awaited<ReturnType<PriceWatch['market']>>['rows']>
  /** Turns on auto-apply for a rule whose effect the person saw. */
  switchOn(ruleId: string, typed?: string | null): ReturnType<PriceWatch['setMode']>
  /** Advances the clock until no price without a response can arrive any more. */
  landFlights(): void
  close(): Promise<void>
}

/** A rule for all offers that follows the market without a pause, with the given differences. */
export const eagerRule = (some: Partial<PriceRule> = {}): PriceRule => ({
  ...newRuleDefaults,
  name: 'All',
  floor: { kind: 'receive', cents: cents(1) },
  coolDownMs: 0,
  mostPercent: 50,
  changesADay: 50,
  war: { changes: 50, withinMs: 3_600_000, holdMs: 3_600_000 },
  ...some,
})

/** Starts the price watch for the account `seller` of a demo service, whose offers are synced. */
export async function startWatchedSeller(): Promise<WatchedSeller> {
  const backend = await startBackend(300)
  const faults = createFaultyConnection()
  const { clock, skip } = skippingClock()
  const harness = createMirrorHarness({
    clock,
    schemas: [catalogueSchema, ...offersSchemas, outboxSchema, salesSchema, priceWatchSchema],
    wrap: faults.wrap,
  })
  const outbox = startFeature(outboxFeature, harness.context, {})
  const priceRules = startFeature(priceRulesFeature, harness.context, {})
  const offers = startFeature(offersFeature, harness.context, { outbox, priceRules })
  const watch = startFeature(priceWatchFeature, harness.context, { offers, outbox, priceRules })
  const { baseUrl, demo, seller } = backend
  harness.add({ id: accountId, role: 'seller', baseUrl, key: demo.sellerKey })
  harness.begin(accountId)
  await offers.syncNow(accountId)

  /** What a rule does now, as the question before auto-apply shows it. */
  async function effectOf(ruleId: string) {
    const rule = (await watch.rules({ accountId })).find((each) => each.ruleId === ruleId)?.rule
    if (rule === undefined) throw new Error('no rule')
    const { sums } = await watch.preview({ accountId, ruleId, rule })
    return { offers: sums.offers, change: sums.change }
  }
  return {
    harness,
    offers,
    watch,
    faults,
    seller,
    market: async (tab = 'losing') =>
      (await watch.market({ accountId, tab, window: { offset: 0, limit: 500 } })).rows,
    switchOn: async (ruleId, typed = null) =>
      watch.setMode({ accountId, ruleId, mode: 'auto', typed, seen: await effectOf(ruleId) }),
    landFlights: () => skip(IN_FLIGHT_MS),
    async close() {
      await harness.close(watch, offers)
      await backend.stop()
    },
  }
}
