import { startBackend } from '../../src/core/mirror/testing/backend.ts'
import { killedRun } from './sync/killed.ts'
import { proxiedRuns } from './sync/proxied.ts'
import { addUp, isEqual, noDifference, servedBy } from './sync/truth.ts'
import type { Difference } from './sync/truth.ts'

/** With three kills and five runs behind the proxy in each: 300 and 500. */
export const defaultRounds = 100

type Options = { rounds: number; seed: number; log: (text: string) => void; products?: number; killsARound?: number; runsARound?: number; deeds?: number }
export type SyncSoak = Difference & { kills: number; midway: number; orders: number; prices: number; proxyRuns: number; exchanges: number; troubled: number; products: number }

const nameDifferences = (parts: Record<string, Difference>): string =>
  Object.entries(parts).filter(([, part]) => !isEqual(part)).map(([name, { lost, twice, wrong }]) => `${name}: lost ${lost}, twice ${twice}, wrong ${wrong}`).join('; ')

/**
 * A desk with a partner's and a seller's account on the real service, in two kinds of trouble. Killed at random moments of a lively day by a real
 * process's SIGKILL; and behind a proxy that delays, cuts, loses and garbles. Afterwards catalogues, offers, orders, attempts, kept keys and the
 * outbox must agree with what the service lists: `lost` is missing here or there, `twice` was done or is kept more often than once, `wrong`
 * differs. The seed of round n is the run's seed + n - 1, and each round has a service of its own: `--rounds 1 --seed S` repeats one.
 */
export default async function soakSync({ rounds, seed, log, products = 1200, killsARound = 3, runsARound = 5, deeds = 5 }: Options): Promise<SyncSoak> {
  let all = noDifference
  const done = { kills: 0, midway: 0, orders: 0, prices: 0, proxyRuns: 0, exchanges: 0, troubled: 0 }
  for (let round = 0; round < rounds; round += 1) {
    const backend = await startBackend(products)
    try {
      if (killsARound > 0) {
        const productIds = (await servedBy(backend).catalogue('partner')).map(({ id }) => id)
        const { difference, parts, kills, midway, orders, prices } = await killedRun(backend, productIds, seed + round, killsARound)
        all = addUp(all, difference)
        done.kills += kills
        done.midway += midway
        done.orders += orders
        done.prices += prices
        if (!isEqual(difference)) log(`seed ${seed + round}, killed: ${nameDifferences(parts)}`)
      }
      for (const { difference, parts, exchanges, troubled } of await proxiedRuns(backend, { seed: seed + round, runs: runsARound, deeds })) {
        all = addUp(all, difference)
        done.proxyRuns += 1
        done.exchanges += exchanges
        done.troubled += troubled
        if (!isEqual(difference)) log(`seed ${seed + round}, behind the proxy: ${nameDifferences(parts)}`)
      }
    } finally {
      await backend.stop()
    }
    log(`round ${round + 1}: ${done.kills} kills (${done.midway} in a listing), ${done.proxyRuns} runs behind the proxy (${done.troubled} of ${done.exchanges} exchanges in trouble); lost ${all.lost}, twice ${all.twice}, wrong ${all.wrong}`)
  }
  return { ...all, ...done, products }
}
