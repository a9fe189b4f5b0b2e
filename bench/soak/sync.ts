import { startBackend } from '../../src/core/mirror/testing/backend.ts'
import type { DemoBackend } from '../../src/core/mirror/testing/backend.ts'
import type { PowerCuts } from './support/power-cuts.ts'
import { killedRun } from './sync/killed.ts'
import { proxiedRuns } from './sync/proxied.ts'
import { addUp, isEqual, noDifference, readService } from './sync/truth.ts'
import type { Difference } from './sync/truth.ts'

/** With ten kills and seventeen runs behind the proxy in each round: 300 and 510. */
export const defaultRounds = 30

type Options = {
  rounds: number
  seed: number
  log: (text: string) => void
  products?: number
  killsARound?: number
  runsARound?: number
  deeds?: number
  cuts?: PowerCuts
}
export type SyncSoak = Difference & {
  kills: number
  midway: number
  orders: number
  prices: number
  proxyRuns: number
  exchanges: number
  troubled: number
  products: number
}

async function withBackend<T>(
  products: number,
  work: (backend: DemoBackend) => Promise<T>,
): Promise<T> {
  const backend = await startBackend(products)
  try {
    return await work(backend)
  } finally {
    await backend.stop()
  }
}

const nameDifferences = (parts: Record<string, Difference>): string =>
  Object.entries(parts)
    .filter(([, part]) => !isEqual(part))
    .map(([name, { lost, twice, wrong, such = [] }]) =>
      [`${name}: lost ${lost}, twice ${twice}, wrong ${wrong}`, ...such].join(', '),
    )
    .join('; ')

/**
 * A console with a partner's and a seller's account on the real service, with two kinds of faults:
 * killed with SIGKILL at random times of a busy day, and behind a proxy that delays, cuts, loses
 * and garbles. Afterwards catalogues, offers, orders, attempts, stored keys and the outbox must
 * agree with the service's lists: `lost` is missing on either side, `twice` was done or is stored
 * more than once, `wrong` differs. The seed of round n is the run's seed + n - 1, and each kind of
 * fault has a service of its own: `--rounds 1 --seed S` repeats one.
 */
export default async function soakSync({
  rounds,
  seed,
  log,
  products = 800,
  killsARound = 10,
  runsARound = 17,
  deeds = 5,
  cuts,
}: Options): Promise<SyncSoak> {
  let all = noDifference
  const done = {
    kills: 0,
    midway: 0,
    orders: 0,
    prices: 0,
    proxyRuns: 0,
    exchanges: 0,
    troubled: 0,
  }
  for (let round = 0; round < rounds; round += 1) {
    const [killed, proxied] = await Promise.all([
      killsARound === 0
        ? null
        : withBackend(products, async (backend) => {
            const productIds = (await readService(backend).catalogue('partner')).map(({ id }) => id)
            return killedRun(backend, productIds, { seed: seed + round, kills: killsARound, cuts })
          }),
      runsARound === 0
        ? []
        : withBackend(products, (backend) =>
            proxiedRuns(backend, { seed: seed + round, runs: runsARound, deeds }),
          ),
    ])
    if (killed !== null) {
      all = addUp(all, killed.difference)
      done.kills += killed.kills
      done.midway += killed.midway
      done.orders += killed.orders
      done.prices += killed.prices
      if (!isEqual(killed.difference))
        log(`seed ${seed + round}, killed: ${nameDifferences(killed.parts)}`)
    }
    for (const { difference, parts, exchanges, troubled } of proxied) {
      all = addUp(all, difference)
      done.proxyRuns += 1
      done.exchanges += exchanges
      done.troubled += troubled
      if (!isEqual(difference))
        log(`seed ${seed + round}, behind the proxy: ${nameDifferences(parts)}`)
    }
    log(
      `round ${round + 1}: ${done.kills} kills (${done.midway} in a listing), ` +
        `${done.proxyRuns} runs behind the proxy (${done.troubled} of ${done.exchanges} ` +
        `exchanges with a fault); lost ${all.lost}, twice ${all.twice}, wrong ${all.wrong}`,
    )
  }
  const { lost, twice, wrong } = all
  return { lost, twice, wrong, ...done, products }
}
