import path from 'node:path'
import { createRouterClient } from '@orpc/server'
import { cents } from '../../server/api/money.ts'
import { seeded } from '../../e2e/support/seeded.ts'
import { createCore } from '../../src/core/create-core.ts'
import { startBackend } from '../../src/core/mirror/testing/backend.ts'
import type { DemoBackend } from '../../src/core/mirror/testing/backend.ts'
import { temporaryFolder, testHost } from '../../src/core/testing/context.ts'
import { randomOutcome } from '../../src/core/testing/random-outcomes.ts'
import type { ExchangeOutcome } from '../../src/core/testing/faulty-proxy.ts'
import { startFaultyProxy } from '../../src/core/testing/faulty-proxy.ts'
import type { ConsoleOptions, Said } from './orders/console.ts'
import { attemptsAtRest, connected, placeAll } from './orders/placing.ts'
import type { Rest, Wanted } from './orders/placing.ts'
import { serviceOf } from './orders/truth.ts'
import { startConsole } from './support/console-process.ts'
import type { PowerCuts } from './support/power-cuts.ts'
import { fastClock } from '../../src/core/testing/fast-clock.ts'

export const defaultRounds = 500

/** Every fifth round is in a separate process that is killed, the others in the soak's process. */
const killInterval = 5
/** Number of rounds at the same time; most of their time they wait. */
const AT_ONCE = 5
const ORDERS_AT_ONCE = 10
const TIMES_AS_FAST = 15
/** The minimum wait for a response, in milliseconds. */
const LEAST_LIMIT_MS = 15_000
const consoleFile = path.join(import.meta.dirname, 'orders', 'console.ts')

type Options = {
  rounds: number
  seed: number
  log: (text: string) => void
  orders?: number
  killsARound?: number
  /** Every round is in a separate process, whose power is cut. */
  cuts?: PowerCuts
}
type Sums = { lost: number; twice: number; wrong: number }
export type OrdersSoak = Sums & {
  kills: number
  orders: number
  placed: number
  refused: number
  exchanges: number
  troubled: number
  doubled: number
  repeated: number
  spentCents: number
}

type Partner = { id: string; key: string }
type World = { backend: DemoBackend; products: { id: string; priceCents: number }[] }

/**
 * A new partner for each round, with money for every order, so that its balance shows the charged
 * amount.
 */
async function newPartner({ backend }: World, name: string, cents: number): Promise<Partner> {
  const { id } = (await backend.dashboard('POST', '/partners', {
    name,
    perOrderLimit: null,
    dailyLimit: null,
  })) as { id: string }
  await backend.dashboard('POST', `/partners/${id}/top-ups`, { mode: 'test', amount: cents / 100 })
  const { key } = (await backend.dashboard('POST', `/partners/${id}/keys`, { mode: 'test' })) as {
    key: string
  }
  return { id, key }
}

const topUpCents = 10_000_000

function randomOrders(
  { products }: World,
  below: (limit: number) => number,
  orders: number,
): Wanted[] {
  return Array.from({ length: orders }, (_, index) => {
    const product = products[below(products.length)] ?? { id: '', priceCents: 0 }
    // Some orders have too low a price: they must be rejected and remain rejected.
    const maxUnitCents =
      below(10) === 0 ? Math.max(0, product.priceCents - 1) : product.priceCents + below(100)
    return {
      externalId: `S-${index}`,
      productId: product.id,
      qty: 1 + below(3),
      maxUnitCents: cents(maxUnitCents),
    }
  })
}

/**
 * Each reference is one order or none, as the console reports; the balance equals the top-ups minus
 * the charges of the orders.
 */
async function judge(
  baseUrl: string,
  key: string,
  wanted: readonly Wanted[],
  { asked, rest, table }: End,
): Promise<Sums & { placed: number; refused: number; spentCents: number; reasons: string[] }> {
  const service = serviceOf(baseUrl, key)
  const orders = await service.orders()
  const sums = { lost: 0, twice: 0, wrong: 0, placed: 0, refused: 0, spentCents: 0 }
  const reasons: string[] = []
  const count = (kind: keyof Sums, times: number, reason: string): void => {
    sums[kind] += times
    if (times > 0) reasons.push(reason)
  }
  count('wrong', rest.open, `${rest.open} open`)
  for (const { externalId } of wanted) {
    const there = orders.get(externalId) ?? []
    const attempt = rest.attempts[externalId]
    const isPlaced = attempt?.state === 'placed'
    const name = `${externalId} (${attempt?.state ?? 'no attempt'})`
    count('twice', Math.max(0, there.length - 1), `${name} placed ${there.length} times`)
    count('lost', Number(isPlaced && there.length === 0), `${name} is missing at the service`)
    count(
      'wrong',
      Number(
        isPlaced &&
          there.length > 0 &&
          (attempt.orderId !== there[0]?.orderId || attempt.chargedCents !== there[0]?.totalCents),
      ),
      `${name} has another order or charge at the service`,
    )
    // A console that was killed before it recorded an attempt never sent it.
    count('wrong', Number(!isPlaced && there.length > 0), `${name} exists at the service`)
    count(
      'wrong',
      Number(attempt === undefined && !asked.has(externalId) && there.length > 0),
      `${name} was never asked for`,
    )
    // A table continues until it is finished, despite all kills.
    count(
      'wrong',
      Number(attempt === undefined && table.has(externalId)),
      `${name} is missing in its table`,
    )
    sums.placed += Number(isPlaced)
    sums.refused += Number(attempt?.state === 'refused')
  }
  const all = [...orders.values()].flat()
  sums.spentCents = all.reduce(
    (sum, { totalCents, refundedCents }) => sum + totalCents - refundedCents,
    0,
  )
  const balance = await service.balanceCents()
  const expected = topUpCents - sums.spentCents
  count('wrong', Number(balance !== expected), `balance ${balance} instead of ${expected}`)
  count(
    'wrong',
    Number(rest.balanceCents !== balance),
    `the console shows the balance ${rest.balanceCents} instead of ${balance}`,
  )
  count(
    'wrong',
    Number(rest.mirrored !== all.length),
    `the console lists ${rest.mirrored} of ${all.length} orders`,
  )
  return { ...sums, reasons }
}

/**
 * The faults of the shared table, and for orders more of the harmful ones: lost responses, late
 * ones, and the same request twice.
 */
function randomFaults(
  below: (limit: number) => number,
): (method: string, path: string) => ExchangeOutcome {
  const random = (): number => below(2 ** 30) / 2 ** 30
  return (method) => {
    const roll = below(10)
    if (method === 'POST' && roll < 3) return 'lose-answer'
    if (method === 'POST' && roll < 4) return { kind: 'delay', ms: below(150) }
    if (method === 'POST' && roll < 5)
      return {
        kind: 'twice',
        apartMs: below(2) * below(300),
        answer: below(2) === 0 ? 'first' : 'second',
      }
    return randomOutcome(random)
  }
}

type Run = {
  below: (limit: number) => number
  baseUrl: string
  heal: () => void
  key: string
  wanted: Wanted[]
  kills: number
  cuts: PowerCuts | null
}

/** The result of a round; `table`: orders that were placed as a table. */
type End = { rest: Rest; asked: ReadonlySet<string>; table: ReadonlySet<string>; kills: number }

async function inThisProcess({ baseUrl, heal, key, wanted }: Run): Promise<End> {
  const folder = temporaryFolder()
  const core = await createCore(testHost(folder.path), {
    rates: null,
    clock: fastClock(TIMES_AS_FAST, LEAST_LIMIT_MS),
  })
  const ask = createRouterClient(core.router, { context: {} })
  const asked = new Set<string>()
  try {
    const { id } = await connected(() =>
      ask.accounts.connect({ key, baseUrl, name: 'partner', keep: 'keychain' }),
    )
    await placeAll(ask, id, wanted, ORDERS_AT_ONCE, (externalId) => asked.add(externalId))
    heal()
    return {
      rest: await attemptsAtRest(ask, id, serviceOf(baseUrl, key)),
      asked,
      table: new Set(),
      kills: 0,
    }
  } finally {
    await core.close()
    folder.remove()
  }
}

/** Half of the orders is a table, the other half is placed one by one. */
async function killed({ below, baseUrl, heal, key, wanted: all, kills, cuts }: Run): Promise<End> {
  const folder = temporaryFolder()
  const wanted = all.slice(0, all.length / 2)
  const options = {
    table: all.slice(wanted.length),
    dataDir: path.join(folder.path, 'data'),
    keychainFile: path.join(folder.path, 'keychain.json'),
    baseUrl,
    key,
    atOnce: ORDERS_AT_ONCE,
  }
  const asked = new Set<string>()
  let done = 0
  try {
    for (let kill = 0; kill < kills; kill += 1)
      done += Number(
        (
          await live(
            { ...options, wanted: wanted.filter(({ externalId }) => !asked.has(externalId)) },
            below(900),
            asked,
            cuts,
          )
        ).killed,
      )
    await live(
      { ...options, wanted: wanted.filter(({ externalId }) => !asked.has(externalId)) },
      null,
      asked,
    )
    heal()
    const { rest } = await live({ ...options, wanted: null }, null, asked)
    if (rest === null) throw new Error('the console did not finish its open work')
    return {
      rest,
      asked,
      table: new Set(options.table.map(({ externalId }) => externalId)),
      kills: done,
    }
  } finally {
    folder.remove()
  }
}

async function live(
  options: ConsoleOptions,
  killAfterMs: number | null,
  asked: Set<string>,
  cuts: PowerCuts | null = null,
): Promise<{ rest: Rest | null; killed: boolean }> {
  const running = startConsole<Said>(consoleFile, options, cuts)
  let rest: Rest | null = null
  for await (const said of running.said) {
    if ('ready' in said && killAfterMs !== null) running.kill(killAfterMs)
    if ('asked' in said) asked.add(said.asked)
    if ('rest' in said) rest = said.rest
  }
  return { rest, killed: await running.killed() }
}

/**
 * A new partner and a new data folder per round, 50 orders through a network that loses, delays,
 * repeats and garbles responses, every fifth round in a process that is killed at random. At the
 * end each reference must be one order at the service or none, as the console reports; nothing may
 * be unknown; the balance must equal the top-ups minus the charges of the orders, to the cent. The
 * seed of round n is the run's seed + n - 1.
 */
export default async function soakOrders({
  rounds,
  seed,
  log,
  orders = 50,
  killsARound = 3,
  cuts,
}: Options): Promise<OrdersSoak> {
  const backend = await startBackend(300)
  const all: OrdersSoak = {
    lost: 0,
    twice: 0,
    wrong: 0,
    kills: 0,
    orders: 0,
    placed: 0,
    refused: 0,
    exchanges: 0,
    troubled: 0,
    doubled: 0,
    repeated: 0,
    spentCents: 0,
  }
  try {
    const { results } = (await (
      await fetch(`${backend.baseUrl}/products?inStock=true&limit=100`, {
        headers: { authorization: `Bearer ${backend.demo.partnerTestKey}` },
      })
    ).json()) as { results: { id: string; price: number; qty: number | null }[] }
    const world: World = {
      backend,
      products: results
        .filter(({ qty }) => (qty ?? 0) > 9)
        .map(({ id, price }) => ({ id, priceCents: Math.round(price * 100) })),
    }
    const oneRound = async (round: number): Promise<void> => {
      const below = seeded(seed + round)
      const wanted = randomOrders(world, below, orders)
      const { key } = await newPartner(world, `Round ${round}`, topUpCents)
      const proxy = await startFaultyProxy(backend.baseUrl)
      const fates = randomFaults(below)
      const perReference = new Map<string, number>()
      proxy.served = ({ method, path: at, sent }) => {
        if (method !== 'POST' || !at.startsWith('/v1/orders')) return
        const { externalId } = JSON.parse(sent) as { externalId: string }
        perReference.set(externalId, (perReference.get(externalId) ?? 0) + 1)
      }
      proxy.decide = (method, at) => {
        const fate = at === '/v1/ping' ? 'pass' : fates(method, at)
        all.exchanges += 1
        all.troubled += Number(fate !== 'pass')
        all.doubled += Number(typeof fate === 'object' && fate.kind === 'twice')
        return fate
      }
      const run: Run = {
        below,
        baseUrl: proxy.baseUrl,
        heal: () => {
          proxy.decide = () => 'pass'
        },
        key,
        wanted,
        kills: killsARound,
        cuts: cuts ?? null,
      }
      try {
        const end = await (round % killInterval === killInterval - 1 ||
        rounds === 1 ||
        cuts !== undefined
          ? killed(run)
          : inThisProcess(run))
        const found = await judge(backend.baseUrl, key, wanted, end)
        for (const name of ['lost', 'twice', 'wrong', 'placed', 'refused', 'spentCents'] as const)
          all[name] += found[name]
        all.kills += end.kills
        all.orders += wanted.length
        all.repeated += [...perReference.values()].filter((times) => times > 1).length
        if (found.lost + found.twice + found.wrong > 0)
          log(
            `seed ${seed + round}: lost ${found.lost}, twice ${found.twice}, wrong ` +
              `${found.wrong}: ${found.reasons.join('; ')}`,
          )
      } finally {
        await proxy.close()
      }
    }
    let [next, done] = [0, 0]
    const lane = async (): Promise<void> => {
      for (let round = next++; round < rounds; round = next++) {
        await oneRound(round)
        if ((done += 1) % 10 === 0)
          log(
            `round ${done}: ${all.placed} placed, ${all.refused} rejected of ${all.orders}, ` +
              `${all.kills} kills, ${all.repeated} sent more than once; lost ${all.lost}, twice ` +
              `${all.twice}, wrong ${all.wrong}`,
          )
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
    return all
  } finally {
    await backend.stop()
  }
}
