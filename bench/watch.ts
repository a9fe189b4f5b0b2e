import { setImmediate } from 'node:timers/promises'
import { cents } from '../server/api/money.ts'
import type { ServiceConnection } from '../src/core/context.ts'
import { catalogueSchema } from '../src/core/catalogue/catalogue.ts'
import { newRuleDefaults } from '../src/contract/price-watch/price-rules.ts'
import { createMirrorHarness } from '../src/core/mirror/testing/harness.ts'
import { offersFeature, offersSchemas } from '../src/core/offers/offers.ts'
import { priceRulesFeature } from '../src/core/price-watch/rules/price-rules.ts'
import { outboxFeature, outboxSchema } from '../src/core/outbox/outbox.ts'
import { priceWatchFeature, priceWatchSchema } from '../src/core/price-watch/price-watch.ts'
import { salesSchema } from '../src/core/sales/sales.ts'
import { startFeature } from '../src/core/testing/start-feature.ts'
import { createSchedule } from '../src/core/service-client/schedule/schedule.ts'
import { serviceRates } from '../src/core/service-client/service-client.ts'
import { manualClock } from '../src/core/testing/manual-clock.ts'
import { createTurningMarket } from './watch/market.ts'

export type WatchFigures = {
  offers: number
  hours: number
  lost: number
  proposed: number
  requests: number
  perMinute: number
  waitP50s: number
  waitP95s: number
  naiveRequests: number
  naiveP50s: number
  naiveP95s: number
}
type Options = { log: (text: string) => void; offers?: number; hours?: number }

const hourMs = 3_600_000
/**
 * A loss of the lead that lasts less than this is counted neither for the watch nor for the naive
 * way, because it is too short to be seen.
 */
const minLossMs = 5 * 60_000
const quantile = (sorted: readonly number[], share: number): number =>
  Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) / 100) /
  10

/**
 * Let all pending work finish before the clock moves: work that the core does in pieces takes no
 * simulated time, because it takes almost no real time.
 */
async function settled(): Promise<void> {
  do await setImmediate()
  while (process.getActiveResourcesInfo().includes('Immediate'))
}

/**
 * A day over many offers in simulated time, at the service's real rates, with a service that
 * reports only what its documents specify: the number of requests of the watch, and the time from
 * losing the lead to the proposal. Compared with the naive way, which looks up every offer in turn
 * as fast as the rates allow.
 */
export default async function benchWatch({
  log,
  offers: count = 20_000,
  hours = 24,
}: Options): Promise<WatchFigures> {
  const clock = manualClock()
  const began = clock.now()
  const market = createTurningMarket(count, began, hours * hourMs, clock.now)
  const schedule = createSchedule(clock, serviceRates)
  const never = new AbortController().signal
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms;) {
      passed += clock.advanceToNext(ms - passed)
      await settled()
    }
  }
  let requests = 0
  const wrap = (): Partial<ServiceConnection> => ({
    ready: async () => {},
    call: (async (
      operation: string,
      input: unknown,
      options: { priority?: 'person' | 'watch' | 'background'; signal?: AbortSignal } = {},
    ) => {
      const slot = await schedule.turn(options.priority ?? 'person', null, options.signal ?? never)
      requests += 1
      slot.answered(clock.monotonic())
      return market.answer(operation, input)
    }) as ServiceConnection['call'],
  })
  const dashboard = createMirrorHarness({
    schemas: [catalogueSchema, ...offersSchemas, outboxSchema, salesSchema, priceWatchSchema],
    clock,
    wrap,
  })
  const outbox = startFeature(outboxFeature, dashboard.context, {})
  const priceRules = startFeature(priceRulesFeature, dashboard.context, {})
  const offers = startFeature(offersFeature, dashboard.context, { outbox, priceRules })
  const watch = startFeature(priceWatchFeature, dashboard.context, { offers, outbox, priceRules })
  try {
    dashboard.add({
      id: 'seller',
      role: 'seller',
      baseUrl: 'http://127.0.0.1:1/v1',
      key: 'svcs_none',
    })
    dashboard.begin('seller')
    // Nothing is killed here, and waiting for the disk would add hours to the bench.
    const mirror = dashboard.context.mirrors.database('seller')
    for (const { name } of mirror.pragma('database_list') as { name: string }[])
      mirror.pragma(`${name}.synchronous = OFF`)
    while (offers.pricing.lastListing('seller').lastAt === null) await pass(1000)
    const rule = await watch.saveRule({
      accountId: 'seller',
      ruleId: null,
      rule: {
        ...newRuleDefaults,
        name: 'All',
        floor: { kind: 'receive', cents: cents(1) },
        mostPercent: 50,
      },
    })
    await watch.setMode({ accountId: 'seller', ruleId: rule.ruleId, mode: 'propose' })
    const first = clock.now()
    requests = 0
    for (const end = first + hours * hourMs; clock.now() < end;) {
      await pass(Math.min(hourMs, end - clock.now()))
      log(`${((clock.now() - first) / hourMs).toFixed(1)} hours: ${requests} requests`)
    }
    const noticed = new Map<string, number[]>()
    for (let offset = 0; ; offset += 5000) {
      const page = await watch.decisions({
        accountId: 'seller',
        reasons: ['undercut'],
        window: { offset, limit: 5000 },
      })
      for (const { offerId, at } of page.rows)
        noticed.set(offerId, [...(noticed.get(offerId) ?? []), at])
      if (offset + 5000 >= page.total) break
    }
    const waits: number[] = []
    const naive: number[] = []
    const cycleMs = (count * serviceRates.minute.perMs) / serviceRates.minute.max
    const losses = market.losses(first, clock.now(), minLossMs)
    for (const { offerId, index, from, to } of losses) {
      const seen = noticed.get(offerId)?.filter((at) => at >= from && at < to)
      if (seen !== undefined && seen.length > 0) waits.push(Math.min(...seen) - from)
      const turn = began + (index / count) * cycleMs
      naive.push(Math.ceil((from - turn) / cycleMs) * cycleMs + turn - from)
    }
    waits.sort((a, b) => a - b)
    naive.sort((a, b) => a - b)
    const figures = {
      offers: count,
      hours,
      lost: losses.length,
      proposed: waits.length,
      requests,
      perMinute: Math.round(requests / hours / 6) / 10,
      waitP50s: quantile(waits, 0.5),
      waitP95s: quantile(waits, 0.95),
      naiveRequests: hours * 60 * serviceRates.minute.max,
      naiveP50s: quantile(naive, 0.5),
      naiveP95s: quantile(naive, 0.95),
    }
    log(
      `${figures.lost} losses of the lead, ${figures.proposed} proposed, half within ` +
        `${figures.waitP50s} s, 95 % within ${figures.waitP95s} s, with ${figures.requests} ` +
        `requests; naive: ${figures.naiveP50s} s, ${figures.naiveP95s} s, ` +
        `${figures.naiveRequests} requests`,
    )
    return figures
  } finally {
    await dashboard.close(watch, offers, outbox)
  }
}
