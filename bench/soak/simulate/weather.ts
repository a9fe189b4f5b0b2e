import { randomOutcome } from '../../../src/core/testing/random-outcomes.ts'
import type { Fate, FateKind } from './network.ts'

const kinds = ['clear', 'clear', 'slow', 'flaky', 'flaky', 'hostile', 'offline', 'busy'] as const
export type Weather = (typeof kinds)[number]

/** A gateway that answers with 429 and the seconds to wait. */
const slowDown = (seconds: number): FateKind => ({
  kind: 'answer',
  answer: {
    status: 429,
    headers: { 'content-type': 'application/json', 'retry-after': String(seconds) },
    body: JSON.stringify({
      error: { code: 'RATE_LIMITED', message: 'Too many requests.', requestId: 'req_simulated' },
    }),
  },
})
const maintenance: FateKind = {
  kind: 'answer',
  answer: {
    status: 503,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      error: { code: 'SERVICE_UNAVAILABLE', message: 'Later.', requestId: 'req_simulated' },
    }),
  },
}

/** The state of the network: it changes from time to time, and decides the outcome of each request. */
export function createWeather(below: (limit: number) => number) {
  let now: Weather = 'clear'
  let isChanging = true
  const fraction = (): number => below(2 ** 30) / 2 ** 30

  /** The outcomes of the faulty proxy, in a network without sockets. */
  function hostile(): FateKind {
    const outcome = randomOutcome(fraction)
    if (outcome === 'lose-answer') return { kind: 'lose' }
    if (outcome === 'cut') return { kind: 'cut' }
    if (typeof outcome === 'string') return { kind: 'pass' }
    if (outcome.kind === 'cut-body') return { kind: 'broken' }
    if (outcome.kind === 'answer' || outcome.kind === 'replace') return outcome
    return { kind: 'pass' }
  }
  function flaky(method: string): FateKind {
    const roll = below(100)
    if (roll < 14) return { kind: 'lose' }
    if (roll < 20) return { kind: 'cut' }
    if (roll < 26) return { kind: 'broken' }
    if (roll < 34 && method !== 'GET') return { kind: 'twice', apart: below(2) * below(3000) }
    if (roll < 40) return slowDown(1 + below(8))
    return { kind: 'pass' }
  }
  function kindOf(method: string): FateKind {
    if (now === 'offline') return { kind: 'refuse' }
    if (now === 'busy') return below(3) === 0 ? slowDown(1 + below(30)) : maintenance
    if (now === 'hostile') return hostile()
    return now === 'flaky' ? flaky(method) : { kind: 'pass' }
  }
  return {
    now: () => now,
    change(): Weather {
      if (isChanging) now = kinds[below(kinds.length)] ?? 'clear'
      return now
    },
    /** Ends all faults. */
    heal(): void {
      now = 'clear'
      isChanging = false
    },
    decide(method: string): Fate {
      const slow = now === 'slow' && below(3) === 0
      return {
        ...kindOf(method),
        there: 5 + below(slow ? 8000 : 60),
        back: 5 + below(slow ? 20_000 : 60),
      }
    },
  }
}
export type WeatherOfDay = ReturnType<typeof createWeather>
