import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { cents } from '../server/api/money.ts'
import { newRuleDefaults } from '../src/contract/price-watch/price-rules.ts'
import { startTestBackend } from '../src/core/testing/backend.ts'
import { startTestCore, until } from '../src/core/testing/core.ts'
import type { TestCore } from '../src/core/testing/core.ts'
import { memoryKeychain } from '../src/core/testing/keychains.ts'
import { openShop } from './soak/reprice/shop.ts'

export type PriceFigures = {
  offers: number
  /** Prices per second: sent by a rule with auto-apply, and by a bulk change of the same offers. */
  appliedPerS: number
  bulkPerS: number
  ratio: number
  /** Milliseconds that a person's change of one price took during the run. */
  personMedianMs: number
  personWorstMs: number
  /** Processor milliseconds of the core's process per applied price. */
  processorMs: number
}
type Options = { log: (text: string) => void; offers?: number }

const WITHIN_MS = 30 * 60_000

/**
 * A rule with auto-apply sends the prices of all offers of a shop, without request limits, while a
 * person changes the price of one more offer again and again. The yardstick is a bulk change of the
 * same offers.
 */
export default async function benchPrices({
  log,
  offers: count = 2000,
}: Options): Promise<PriceFigures> {
  const backend = await startTestBackend({ seed: 'empty', noLimits: true })
  const dataDir = mkdtempSync(path.join(tmpdir(), 'keydesk-prices-'))
  let core: TestCore | null = null
  try {
    const shop = await openShop(backend, count + 1)
    core = await startTestCore(path.join(dataDir, 'data'), memoryKeychain(), { rates: null })
    const { ask } = core
    const { id: accountId } = await ask.accounts.connect({
      key: shop.sellerKey,
      baseUrl: backend.ready.baseUrl,
      name: 'Shop',
    })
    await until(
      () => ask.offers.list({ accountId }),
      ({ total, complete }) => complete && total > count,
      WITHIN_MS,
    )
    const [personal = '', ...offerIds] = shop.offers.keys()

    const bulkPerS = await changeInBulk(ask, accountId, offerIds)
    log(`bulk change: ${bulkPerS} prices a second`)

    await shop.undercut()
    await ask.accounts.syncNow({ accountId })
    const rule = {
      ...newRuleDefaults,
      name: 'All',
      scope: { kind: 'offers' as const, offerIds },
      floor: { kind: 'receive' as const, cents: cents(1) },
      coolDownMs: 0,
      mostPercent: 50,
    }
    const { ruleId } = await ask.priceWatch.saveRule({ accountId, ruleId: null, rule })
    await ask.priceWatch.setMode({ accountId, ruleId, mode: 'propose' })
    await until(
      () => ask.priceWatch.overview({ accountId }),
      ({ counts }) => counts.proposals >= count,
      WITHIN_MS,
    )
    const { sums: seen } = await ask.priceWatch.preview({ accountId, ruleId, rule })
    const waits: number[] = []
    let isSending = true
    const person = changeAgainAndAgain(ask, accountId, personal, waits, () => isSending)
    const before = process.cpuUsage()
    const startedAt = performance.now()
    await ask.priceWatch.setMode({ accountId, ruleId, mode: 'auto', seen, typed: 'All' })
    await until(
      () => appliedPrices(ask, accountId),
      (applied) => applied >= count,
      WITHIN_MS,
    )
    const seconds = (performance.now() - startedAt) / 1000
    const { user, system } = process.cpuUsage(before)
    isSending = false
    await person
    const appliedPerS = Math.round(count / seconds)
    return {
      offers: count,
      appliedPerS,
      bulkPerS,
      ratio: Math.round((appliedPerS / bulkPerS) * 100) / 100,
      personMedianMs: Math.round(waits.toSorted((a, b) => a - b)[waits.length >> 1] ?? 0),
      personWorstMs: Math.round(Math.max(0, ...waits)),
      processorMs: Math.round((user + system) / 100 / count) / 10,
    }
  } finally {
    await core?.close()
    await backend.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type Ask = TestCore['ask']

/** Raises the prices of all offers by a cent. Returns prices per second. */
async function changeInBulk(
  ask: Ask,
  accountId: string,
  offerIds: readonly string[],
): Promise<number> {
  const request = {
    accountId,
    chosen: { offerIds: [...offerIds] },
    change: {
      kind: 'price' as const,
      how: { by: 'amount' as const, cents: cents(1) },
      keepFloor: false,
    },
  }
  const { fingerprint } = await ask.offers.bulk.preview(request)
  const startedAt = performance.now()
  const { bulkId } = await ask.offers.bulk.start({ ...request, fingerprint, beyondGuard: true })
  await until(
    () => ask.offers.bulk.list({ accountId }),
    (bulks) => bulks.find((bulk) => bulk.bulkId === bulkId)?.state === 'done',
    WITHIN_MS,
  )
  return Math.round((offerIds.length / (performance.now() - startedAt)) * 1000)
}

const appliedPrices = async (ask: Ask, accountId: string): Promise<number> =>
  (
    await ask.priceWatch.decisions({
      accountId,
      reasons: ['applied'],
      window: { offset: 0, limit: 1 },
    })
  ).total

/** Changes one price every 200 ms while `goesOn`, and records how long each took, in milliseconds. */
async function changeAgainAndAgain(
  ask: Ask,
  accountId: string,
  offerId: string,
  waits: number[],
  goesOn: () => boolean,
): Promise<void> {
  for (let price = 2000; goesOn(); price += 1) {
    const startedAt = performance.now()
    await ask.offers.change({ accountId, offerId, priceCents: cents(price) })
    waits.push(performance.now() - startedAt)
    await new Promise((resolve) => {
      setTimeout(resolve, 200)
    })
  }
}
