import { createRouterClient } from '@orpc/server'
import { seeded } from '../../../e2e/support/seeded.ts'
import { createCore } from '../../../src/core/create-core.ts'
import type { DemoBackend } from '../../../src/core/mirror/testing/backend.ts'
import { temporaryFolder, testHost } from '../../../src/core/testing/context.ts'
import { randomOutcome } from '../../../src/core/testing/random-outcomes.ts'
import { startFaultyProxy } from '../../../src/core/testing/faulty-proxy.ts'
import { agreementOf } from './agreement.ts'
import { attempt, simulateDay } from './day.ts'
import type { Ask } from './day.ts'
import { fastClock } from '../../../src/core/testing/fast-clock.ts'
import { countReceivedPrices } from './received-prices.ts'
import { addUp, noDifference, readService } from './truth.ts'
import type { Difference } from './truth.ts'

/** The console's minute is shorter by this factor: its waits after failures, and between syncs. */
const TIMES_AS_FAST = 15
const HEALED_WITHIN_MS = 60_000

export type ProxiedRun = {
  difference: Difference
  parts: Record<string, Difference>
  exchanges: number
  troubled: number
}

/** Connects an account over a network without faults; a busy machine may need more than one try. */
async function connect(ask: Ask, key: string, baseUrl: string): Promise<string> {
  for (;;) {
    const account = await attempt(
      ask.accounts.connect({ key, baseUrl, name: key.slice(0, 9), keep: 'keychain' }),
    )
    if (account !== null) return account.id
  }
}

/**
 * A new console behind a proxy with all its faults for a while, `runs` times, from its first
 * listing on; the network fails from time to time. Once the proxy has no more faults, the console
 * must agree with the service, every queued price must be the service's, and the service must have
 * received each price once. All random values come from `seed`.
 */
export async function proxiedRuns(
  backend: DemoBackend,
  { seed, runs, deeds }: { seed: number; runs: number; deeds: number },
): Promise<ProxiedRun[]> {
  const below = seeded(seed)
  const random = (): number => below(2 ** 30) / 2 ** 30
  const folder = temporaryFolder()
  const proxy = await startFaultyProxy(backend.baseUrl)
  const prices = countReceivedPrices(proxy)
  const core = await createCore(testHost(folder.path), {
    rates: null,
    clock: fastClock(TIMES_AS_FAST),
  })
  const ask = createRouterClient(core.router, { context: {} })
  const served = readService(backend)
  const wished = new Map<string, number | null>()
  const references = new Set<string>()
  let cents = 1000 + (seed % 1000) * 50
  const results: ProxiedRun[] = []
  try {
    // With the fast clock, its idle minutes are over in seconds.
    await ask.app.changeSettings({ lockMinutes: 0 })
    const [partner, seller] = [
      await connect(ask, backend.demo.partnerLiveKey, proxy.baseUrl),
      await connect(ask, backend.demo.sellerKey, proxy.baseUrl),
    ]
    const day = simulateDay({
      ask,
      seller,
      partner,
      below,
      name: `P${seed}`,
      nextPrice: () => (cents += 1),
      note: (deed) => {
        if (deed.do === 'order') references.add(deed.externalId)
      },
      taken: (offerId, price, kept) => void wished.set(offerId, kept ? price : null),
    })
    for (let run = 0; run < runs; run += 1) {
      let [exchanges, troubled] = [0, 0]
      proxy.decide = () => {
        const fate = randomOutcome(random)
        exchanges += 1
        troubled += Number(fate !== 'pass')
        return fate
      }
      for (let done = 0; done < deeds; done += 1) {
        const off = below(6) === 0
        if (off) await proxy.disconnect()
        await day.deed()
        if (off) await proxy.reconnect()
      }
      proxy.decide = () => 'pass'
      const { parts } = await agreementOf({
        ask,
        seller,
        partner,
        dataDir: folder.path,
        served,
        references,
        withinMs: HEALED_WITHIN_MS,
      })
      const now = new Map(
        (await served.offers()).map(({ id, facts }) => [id, (JSON.parse(facts) as [number])[0]]),
      )
      parts['wishes'] = {
        ...noDifference,
        wrong: [...wished].filter(
          ([offerId, price]) => price !== null && now.get(offerId) !== price,
        ).length,
        twice: prices.twice(),
      }
      results.push({ difference: addUp(...Object.values(parts)), parts, exchanges, troubled })
    }
    return results
  } finally {
    await core.close()
    await proxy.close()
    folder.remove()
  }
}
