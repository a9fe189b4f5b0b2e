import { hash } from 'node:crypto'
import type { Access } from '../../server/api/access.ts'
import { createRateLimiter } from '../../server/domain/limits/rate-limiter.ts'
import { testApp } from '../../server/http/testing/app.ts'
import { seeded } from '../../e2e/support/seeded.ts'
import { arrivals, keys } from './limits/arrivals.ts'
import type { Arrival, Step } from './limits/arrivals.ts'
import { BruteForce } from './limits/brute-force.ts'
import { refusalProblem } from './limits/refusal.ts'

/** A round is one arrival. */
export const defaultRounds = 1_000_000

type Options = { rounds: number; seed: number; log: (text: string) => void }
export type LimitsSoak = {
  lost: number
  twice: number
  wrong: number
  refused: number
  refusedBy: Record<string, number>
  exactlyThen: number
  clockBack: number
  arrivalsPerSecond: number
}

const holders = new Map(keys.map((one) => [hash('sha256', one.key), one]))
const access: Access = {
  partner(keySha256) {
    const one = holders.get(keySha256)
    if (one === undefined || one.api !== 'partner') return null
    const caller = {
      kind: 'partner',
      partnerId: one.account,
      keyId: one.key,
      mode: one.key.startsWith('svc_live_') ? 'live' : 'test',
      scopes: one.scopes,
    } as const
    return { caller, accountStatus: 'active', addressAllowed: true }
  },
  seller(keySha256) {
    const one = holders.get(keySha256)
    return one === undefined || one.api !== 'seller'
      ? null
      : {
          caller: { kind: 'seller', sellerId: one.account, keyId: one.key },
          accountStatus: 'active',
          addressAllowed: true,
        }
  },
}

function startApp(clock: { now(): number }) {
  const plain = { status: 200, json: '{}' } as const
  return testApp({
    access,
    rates: createRateLimiter(clock),
    handlers: {
      ping: () => plain,
      createOrder: () => ({ ...plain, status: 201 }),
      getOrderKeys: () => plain,
      getSeller: () => plain,
      uploadKeys: () => plain,
    },
  }).app
}

/**
 * Arrivals at the real HTTP pipeline on a separate clock, each compared with brute force over all
 * requests admitted before: whether it passes, how long it must wait, and the headers. `lost` were
 * rejected although they fitted, `twice` passed beyond a limit, `wrong` had another wait, status or
 * header. Every third rejection is followed by the same request exactly one millisecond too early,
 * and then in time.
 */
export default async function soakLimits({ rounds, seed, log }: Options): Promise<LimitsSoak> {
  const clock = { at: 1_700_000_000_000, now: () => clock.at }
  const app = startApp(clock)
  const plain = new BruteForce()
  const below = seeded(seed)
  const next = arrivals(below)
  const result = { lost: 0, twice: 0, wrong: 0, refused: 0, exactlyThen: 0, clockBack: 0 }
  const refusedBy: Record<string, number> = {}
  const ahead: Step[] = []
  const began = performance.now()

  const tell = (round: number, { key, method, path }: Arrival, problem: string): void =>
    log(`arrival ${round} at ${clock.at} (${key.key} ${method} ${path}): ${problem}`)

  function followUp(arrival: Arrival, retryAfterMs: number): void {
    if (below(3) > 0 || ahead.length > 0) return
    ahead.push({ gapMs: retryAfterMs - 1, arrival }, { gapMs: 1, arrival })
    result.exactlyThen += 1
  }

  for (let round = 1; round <= rounds; round += 1) {
    const { gapMs, arrival } = ahead.shift() ?? next()
    const { key, method, path: url, body, demand } = arrival
    clock.at += gapMs
    if (gapMs < 0) result.clockBack += 1
    plain.see(clock.at)
    const refusing = plain.refusing(demand, clock.at)
    const payload =
      body === null
        ? {}
        : {
            payload: JSON.stringify(body),
            headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
          }
    const answer = await app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${key.key}` },
      ...payload,
    })
    if (answer.statusCode !== 429) {
      if (refusing.length > 0) {
        result.twice += 1
        tell(round, arrival, `passed beyond ${JSON.stringify(refusing)}`)
      }
      if (answer.statusCode !== arrival.answer) {
        result.wrong += 1
        tell(round, arrival, `${answer.statusCode} instead of ${arrival.answer}`)
      }
      plain.admit(demand, clock.at)
      continue
    }
    result.refused += 1
    if (refusing.length === 0) {
      result.lost += 1
      tell(round, arrival, 'rejected although it fits')
      continue
    }
    const told = refusalProblem(answer, demand, plain, clock.at)
    if (typeof told === 'string') {
      result.wrong += 1
      tell(round, arrival, told)
    } else {
      refusedBy[told.name] = (refusedBy[told.name] ?? 0) + 1
      followUp(arrival, told.retryAfterMs)
    }
  }
  await app.close()
  return {
    ...result,
    refusedBy,
    arrivalsPerSecond: Math.round(rounds / ((performance.now() - began) / 1000)),
  }
}
