import { setImmediate } from 'node:timers/promises'
import { cents } from '../../server/api/money.ts'
import { catalogueSchema } from '../../src/core/catalogue/catalogue.ts'
import type { ServiceConnection } from '../../src/core/context.ts'
import { createMirrorHarness } from '../../src/core/mirror/testing/harness.ts'
import { offersFeature, offersSchemas } from '../../src/core/offers/offers.ts'
import { outboxFeature, outboxSchema } from '../../src/core/outbox/outbox.ts'
import { priceWatchSchema } from '../../src/core/price-watch/price-watch.ts'
import { priceRulesFeature } from '../../src/core/price-watch/rules/price-rules.ts'
import { salesSchema } from '../../src/core/sales/sales.ts'
import { createSchedule } from '../../src/core/service-client/schedule/schedule.ts'
import { serviceRates } from '../../src/core/service-client/service-client.ts'
import { manualClock } from '../../src/core/testing/manual-clock.ts'
import { startFeature } from '../../src/core/testing/start-feature.ts'

const PAGE = 100
const TICK_MS = 60_000
/** Shares of the work after which the time left is compared. */
const SHARES = [0, 0.1, 0.5, 0.9]

/** At a share of the work: the time left that Keydesk named, and the real one, in seconds. */
export type Prediction = { share: number; namedS: number; realS: number; errorPercent: number }
export type BulkFigures = { offers: number; requests: number; predictions: Prediction[] }

/** A seller's offers, which only this console changes. */
function createOffers(count: number) {
  const prices = Array.from({ length: count }, (_, index) => 500 + (index % 997) * 7)
  const offerOf = (index: number) => {
    const price = prices[index] ?? 0
    const customerPrice = Math.round(price * 1.1)
    return {
      id: `off_${String(index).padStart(6, '0')}`,
      productId: `p${index}`,
      name: `Product ${index}`,
      price,
      customerPrice,
      status: 'active',
      stock: 10,
      isCheapest: true,
      commission: { class: 'keys', percent: 10, amount: customerPrice - price },
    }
  }
  return (operation: string, input: unknown): unknown => {
    const { query, params, body } = input as {
      query?: { page?: number }
      params?: { id: string }
      body?: { price?: number }
    }
    const index = Number(params?.id.slice(4) ?? 0)
    if (operation === 'changeOffer') prices[index] = body?.price ?? prices[index] ?? 0
    if (operation !== 'listOffers') return offerOf(index)
    const first = ((query?.page ?? 1) - 1) * PAGE
    const length = Math.max(0, Math.min(PAGE, count - first))
    return {
      results: Array.from({ length }, (_, at) => offerOf(first + at)),
      hasMore: first + PAGE < count,
    }
  }
}

async function settled(): Promise<void> {
  do await setImmediate()
  while (process.getActiveResourcesInfo().includes('Immediate'))
}

/** The part of the core that changes offers, in simulated time at the service's real rates. */
function startOffers(count: number) {
  const clock = manualClock()
  const schedule = createSchedule(clock, serviceRates)
  const answer = createOffers(count)
  const never = new AbortController().signal
  const sent = { requests: 0 }
  const wrap = (line: ServiceConnection): Partial<ServiceConnection> => ({
    ready: async () => {},
    state: () => ({ ...line.state(), budget: schedule.budget() }),
    call: (async (operation, input, options = {}) => {
      const priority = options.priority ?? 'person'
      const slot = await schedule.turn(priority, null, options.signal ?? never)
      sent.requests += 1
      slot.answered(clock.monotonic())
      return answer(operation, input)
    }) as ServiceConnection['call'],
  })
  const harness = createMirrorHarness({
    schemas: [catalogueSchema, ...offersSchemas, outboxSchema, salesSchema, priceWatchSchema],
    clock,
    wrap,
  })
  const outbox = startFeature(outboxFeature, harness.context, {})
  const priceRules = startFeature(priceRulesFeature, harness.context, {})
  const offers = startFeature(offersFeature, harness.context, { outbox, priceRules })
  return { clock, harness, outbox, offers, sent }
}

/**
 * A bulk change of all offers of a shop, in simulated time at the service's real rates: the time
 * left that Keydesk names before and while it is sent, compared with the real one.
 */
export async function measureBulk(
  count: number,
  log: (text: string) => void,
): Promise<BulkFigures> {
  const { clock, harness, outbox, offers, sent } = startOffers(count)
  const { context } = harness
  const accountId = 'seller'
  async function pass(ms: number, until: () => boolean): Promise<void> {
    for (let passed = 0; passed < ms && !until();) {
      passed += clock.advanceToNext(ms - passed)
      await settled()
    }
  }
  try {
    harness.add({ id: accountId, role: 'seller', baseUrl: 'http://127.0.0.1:1/v1', key: 'svcs_x' })
    harness.begin(accountId)
    const mirror = context.mirrors.database(accountId)
    for (const { name } of mirror.pragma('database_list') as { name: string }[])
      mirror.pragma(`${name}.synchronous = OFF`)
    while (offers.pricing.lastListing(accountId).lastAt === null) await pass(1000, () => false)
    const request = {
      accountId,
      chosen: { filter: {} },
      change: {
        kind: 'price' as const,
        how: { by: 'amount' as const, cents: cents(1) },
        keepFloor: false,
      },
    }
    const { fingerprint, durationMs } = await offers.bulks.preview({ ...request, window: {} })
    const before = sent.requests
    await offers.bulks.begin({
      ...request,
      fingerprint,
      typed: String(count),
      beyondGuard: true,
    })
    const startedAt = clock.now()
    const named: { share: number; at: number; namedMs: number }[] = []
    const isDone = (): boolean => offers.bulks.list({ accountId })[0]?.state === 'done'
    while (!isDone()) {
      await pass(TICK_MS / 60, isDone)
      const [job] = context.jobs.list()
      const share = SHARES[named.length]
      if (job === undefined || share === undefined || job.done < share * (job.total ?? 0)) continue
      const namedMs = share === 0 ? (durationMs ?? 0) : (job.leftMs ?? 0)
      named.push({ share, at: share === 0 ? startedAt : clock.now(), namedMs })
    }
    const predictions = named.map(({ share, at, namedMs }) => {
      const realMs = clock.now() - at
      const errorPercent = Math.round((namedMs / realMs - 1) * 100)
      return {
        share,
        namedS: Math.round(namedMs / 1000),
        realS: Math.round(realMs / 1000),
        errorPercent,
      }
    })
    for (const { share, namedS, realS, errorPercent } of predictions)
      log(
        `bulk change at ${share * 100} %: ${namedS} s left named, ${realS} s real (${errorPercent} %)`,
      )
    return { offers: count, requests: sent.requests - before, predictions }
  } finally {
    await harness.close(offers, outbox)
  }
}
