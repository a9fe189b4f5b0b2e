import path from 'node:path'
import { createRouterClient } from '@orpc/server'
import { claimAll, createOffer } from '../../e2e/support/disputes.ts'
import { seeded } from '../../e2e/support/seeded.ts'
import { cents } from '../../server/api/money.ts'
import { createCore } from '../../src/core/create-core.ts'
import { startTestBackend } from '../../src/core/testing/backend.ts'
import { temporaryFolder } from '../../src/core/testing/context.ts'
import { fastClock } from '../../src/core/testing/fast-clock.ts'
import { createJumpingClock, directions } from './clock/jumps.ts'
import type { JumpingClock } from './clock/jumps.ts'
import {
  approvePrices,
  importKeys,
  orderAndClaim,
  queuePrice,
  raisePrices,
  reconnect,
  replyToAll,
  StandsStill,
  untilDone,
} from './clock/jobs.ts'
import { judgeImport, judgeOrders, judgePrices, judgeReplies } from './clock/judge.ts'
import type { Sums } from './clock/judge.ts'
import { startSoakNetwork } from './clock/network.ts'
import { connected } from './orders/placing.ts'
import type { Wanted } from './orders/placing.ts'
import { serviceOf } from './orders/truth.ts'
import { openShop } from './reprice/shop.ts'
import { serviceAccess } from './support/service-access.ts'
import { soakHost } from './support/soak-console.ts'

export const defaultRounds = 20

/** Pauses between tries are shorter by this factor; limits for responses are at least 15 s. */
const TIMES_AS_FAST = 8
const LEAST_LIMIT_MS = 15_000
/** While jobs wait, the wall clock is set at this interval, in milliseconds. */
const WAITING_JUMP_MS = 1500
/** The shop's offers: three for keys and a bulk change, one for the outbox, two for the rule. */
const OFFERS = 6

type Options = {
  rounds: number
  seed: number
  log: (text: string) => void
  keys?: number
  orders?: number
  disputes?: number
}
export type ClockSoak = Sums & {
  jobs: number
  jumps: number
  states: number
  exchanges: number
  troubled: number
  early: number
  standing: number
}

/** A seller with offers and claimed sales, a partner, and products with stock for its orders. */
async function openWorld(disputes: number) {
  const backend = await startTestBackend({ products: 40, noLimits: true })
  const service = serviceAccess(backend)
  const shop = await openShop(backend, OFFERS)
  const claimed = [...(await claimAll(service, shop.sellerKey, disputes))]
  const supplier = backend.ready.demo?.sellerKey ?? ''
  const { productId, offerId } = await createOffer(service, supplier, 'Supply')
  await service.seller(supplier, 'POST', `/offers/${offerId}/keys`, {
    keys: Array.from({ length: 100 }, (_, index) => `SUPPL-${String(10_000 + index)}-STOCK`),
  })
  const { id } = (await backend.dashboard('POST', '/partners', {
    name: 'Partner',
    perOrderLimit: null,
    dailyLimit: null,
  })) as { id: string }
  await backend.dashboard('POST', `/partners/${id}/top-ups`, { mode: 'live', amount: 10_000 })
  const { key } = (await backend.dashboard('POST', `/partners/${id}/keys`, { mode: 'live' })) as {
    key: string
  }
  return { backend, service, shop, claimed, productId, partnerKey: key }
}
type World = Awaited<ReturnType<typeof openWorld>>

/** Orders of the supplied product, some with too low a price. */
const ordersOf = ({ productId }: World, name: string, count: number): Wanted[] =>
  Array.from({ length: count }, (_, index) => ({
    externalId: `${name}-${index}`,
    productId,
    qty: 1 + (index % 2),
    maxUnitCents: cents(index % 5 === 4 ? 1 : 1000),
  }))

/**
 * A console does all of its jobs in parallel while its wall clock is set by a minute, eight hours or a
 * year, forward and back: before and after each exchange with the service, which are the states of
 * every job, and while jobs wait. `lost`: reported as done, but missing; `twice`: done more than
 * once; `wrong`: a job stops, a request is sent before the wait that the service asked for,
 * a claim is refused as too late, or console and service differ.
 */
export default async function soakClock({
  rounds,
  seed,
  log,
  keys: keyCount = 60,
  orders: orderCount = 10,
  disputes = 6,
}: Options): Promise<ClockSoak> {
  const result: ClockSoak = {
    lost: 0,
    twice: 0,
    wrong: 0,
    jobs: 0,
    jumps: 0,
    states: 0,
    exchanges: 0,
    troubled: 0,
    early: 0,
    standing: 0,
  }
  const states = new Set<string>()
  for (let round = 0; round < rounds; round += 1) {
    const clock = createJumpingClock(
      fastClock(TIMES_AS_FAST, LEAST_LIMIT_MS),
      directions[round % directions.length] ?? 'both',
    )
    const world = await openWorld(disputes)
    try {
      await oneRound(world, clock, seed + round)
    } finally {
      await world.backend.stop()
    }
    for (const [state, counts] of clock.counts()) {
      states.add(state)
      result.jumps += counts.reduce((sum, count) => sum + count, 0)
    }
    result.states = states.size
    log(
      `round ${round + 1}: ${result.jobs} jobs, ${result.jumps} jumps in ${result.states} states; ` +
        `lost ${result.lost}, twice ${result.twice}, wrong ${result.wrong}`,
    )
  }
  return result

  async function oneRound(world: World, clock: JumpingClock, roundSeed: number): Promise<void> {
    const below = seeded(roundSeed)
    const folder = temporaryFolder()
    const note = (what: string): void => log(`seed ${roundSeed}: ${what}`)
    const add = (sums: Sums): void => {
      result.lost += sums.lost
      result.twice += sums.twice
      result.wrong += sums.wrong
    }
    const run = async (job: () => Promise<Sums>): Promise<void> => {
      result.jobs += 1
      try {
        add(await job())
      } catch (error) {
        if (!(error instanceof StandsStill)) throw error
        note(`stands still: ${error.message}`)
        result.standing += 1
        result.wrong += 1
      }
    }
    const { baseUrl } = world.backend.ready
    const forSeller = await startSoakNetwork(baseUrl, clock, below)
    const forPartner = await startSoakNetwork(baseUrl, clock, below)
    const networks = [forSeller, forPartner]
    const core = await createCore(
      soakHost({
        dataDir: path.join(folder.path, 'data'),
        keychainFile: path.join(folder.path, 'keychain.json'),
      }),
      { clock, rates: null },
    )
    const jumping = setInterval(() => clock.jumpIn('waiting'), WAITING_JUMP_MS)
    try {
      const ask = createRouterClient(core.router, { context: {} })
      const connect = (name: string, key: string, to: string): Promise<{ id: string }> =>
        connected(() => ask.accounts.connect({ key, baseUrl: to, name, keep: 'keychain' }))
      const { sellerKey } = world.shop
      const accounts = {
        ask,
        seller: (await connect('Shop', sellerKey, forSeller.proxy.baseUrl)).id,
        partner: (await connect('Partner', world.partnerKey, forPartner.proxy.baseUrl)).id,
      }
      const offerIds = [...world.shop.offers.keys()]
      await untilDone('first sync', async () =>
        (await ask.offers.list({ accountId: accounts.seller })).total > OFFERS ? true : null,
      )
      const [bulk, queued = '', watched] = [offerIds.slice(0, 3), offerIds[3], offerIds.slice(4)]
      const keys = Array.from(
        { length: keyCount },
        (_, index) => `CLOCK-${String(10_000 + index)}-R${String(roundSeed)}`,
      )
      const wanted = ordersOf(world, 'S', orderCount)
      const table = ordersOf(world, 'T', orderCount)
      const atService = serviceOf(baseUrl, world.partnerKey)
      const before = await world.shop.prices()
      const raised = new Map(
        bulk.map((id) => [id, { cents: (before.get(id) ?? 0) + 1, applied: true }] as const),
      )
      const prices = (
        expected: ReadonlyMap<string, { cents: number; applied: boolean }>,
      ): Promise<Sums> => judgePrices(world.service, sellerKey, expected, forSeller.executed, note)
      const jobs: readonly (() => Promise<Sums>)[] = [
        async () => {
          await importKeys(accounts, bulk, keys)
          return judgeImport(world.service, sellerKey, bulk, keys, note)
        },
        async () => {
          await raisePrices(accounts, bulk)
          return prices(raised)
        },
        async () => {
          const { rest, refused } = await orderAndClaim(accounts, atService, wanted, table)
          for (const why of refused) note(`claim: ${why}`)
          const sums = await judgeOrders(atService, [...wanted, ...table], rest, note)
          return { ...sums, wrong: sums.wrong + refused.length }
        },
        async () => {
          const price = await queuePrice(accounts, queued, forSeller.proxy)
          return prices(new Map([[queued, { cents: price, applied: true }]]))
        },
        async () => {
          const replied = await replyToAll(accounts, clock, world.claimed)
          return judgeReplies(world.service, sellerKey, replied, forSeller.executed, note)
        },
        async () => prices(await approvePrices(accounts, watched)),
      ]
      await Promise.all(jobs.map(run))
      await run(async () => {
        await reconnect(
          accounts,
          networks.map(({ proxy }) => proxy),
        )
        return { lost: 0, twice: 0, wrong: 0 }
      })
    } finally {
      clearInterval(jumping)
      for (const { figures, proxy, calm } of networks) {
        calm()
        result.exchanges += figures.exchanges
        result.troubled += figures.troubled
        result.early += figures.early
        result.wrong += figures.early
        if (figures.early > 0) note(`${figures.early} requests before the wait was over`)
        await proxy.close()
      }
      await core.close()
      folder.remove()
    }
  }
}
