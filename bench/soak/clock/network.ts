import { startFaultyProxy } from '../../../src/core/testing/faulty-proxy.ts'
import type { ExchangeOutcome, FaultyProxy } from '../../../src/core/testing/faulty-proxy.ts'
import { msSince } from '../../../src/core/clock.ts'
import type { Monotonic } from '../../../src/core/clock.ts'
import type { JumpingClock } from './jumps.ts'

/** The clock is set the first time in a state, and then once in so many times. */
const JUMP_EVERY = 4
/** The wait that a rejected read asks for, in milliseconds of the console's clock. */
const HELD_MS = 24_000
/**
 * Requests that were on their way when the wait was asked for arrive within this time, also on a busy
 * machine.
 */
const ON_THE_WAY_MS = 16_000

const held: ExchangeOutcome = {
  kind: 'answer',
  answer: {
    status: 429,
    headers: { 'content-type': 'application/json', 'retry-after': String(HELD_MS / 1000) },
    body: JSON.stringify({
      error: {
        code: 'RATE_LIMITED',
        message: 'Too many requests.',
        requestId: 'req_soak',
        details: { retryAfterMs: HELD_MS },
      },
    }),
  },
}

/**
 * A read whose response Keydesk awaits in any case, and whose rejection holds back every request of
 * the key.
 */
const isPoll = (method: string, path: string): boolean =>
  method === 'GET' && /\/balance$|\/(?:offers|disputes|orders)\?page=/.test(path)

/** The name of an exchange without the ids in its path. */
const nameOf = (method: string, path: string): string =>
  `${method} ${path.replace(/\?.*$/, '').replace(/\/[a-z]{2,5}_[\w-]+/g, '/{id}')}`

export type Executed = ReadonlyMap<string, readonly Monotonic[]>
export type SoakNetwork = {
  proxy: FaultyProxy
  figures: { exchanges: number; troubled: number; early: number }
  /** When the service executed each change, by method and path. */
  executed: Executed
  /** From here on, no faults. */
  calm(): void
}

/**
 * A network between the console and the service that sets the console's wall clock before and after
 * exchanges, loses responses, and rejects some reads with a wait. `early`: requests that arrived
 * before such a wait was over.
 */
export async function startSoakNetwork(
  target: string,
  clock: JumpingClock,
  below: (limit: number) => number,
): Promise<SoakNetwork> {
  const proxy = await startFaultyProxy(target)
  const figures = { exchanges: 0, troubled: 0, early: 0 }
  const executed = new Map<string, Monotonic[]>()
  let heldAt: Monotonic | null = null
  let isCalm = false
  const jump = (state: string): void => {
    if (clock.jumpsIn(state) === 0 || below(JUMP_EVERY) === 0) clock.jumpIn(state)
  }
  proxy.decide = (method, path) => {
    figures.exchanges += 1
    const waited = heldAt === null ? HELD_MS : msSince(clock, heldAt)
    if (waited > ON_THE_WAY_MS && waited < HELD_MS * 0.9) figures.early += 1
    if (isCalm) return 'pass'
    jump(`before ${nameOf(method, path)}`)
    const chance = below(100)
    if (chance < 5 && isPoll(method, path)) {
      heldAt = clock.monotonic()
      figures.troubled += 1
      return held
    }
    if (chance >= 10) return 'pass'
    figures.troubled += 1
    return chance < 7 ? 'lose-answer' : 'cut'
  }
  proxy.served = ({ method, path, status }) => {
    if (method !== 'GET' && status < 400) {
      const key = `${method} ${path.replace(/\?.*$/, '')}`
      executed.set(key, [...(executed.get(key) ?? []), clock.monotonic()])
    }
    if (!isCalm) jump(`after ${nameOf(method, path)}`)
  }
  return {
    proxy,
    figures,
    executed,
    calm() {
      isCalm = true
    },
  }
}
