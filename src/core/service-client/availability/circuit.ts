import type { Problem } from '../../../contract/base.ts'
import { later } from '../../clock.ts'
import type { Clock, Monotonic } from '../../clock.ts'
import type { Randomness } from '../../randomness.ts'

const firstMs = 1000
const longestMs = 60_000

/**
 * `online` since the first response, or the first one after being offline; null before any
 * response. `doubtful`: a response is missing or late, or wasn't the service's, and requests are
 * still sent. `since` is a wall time.
 */
export type CircuitState =
  | { state: 'online'; since: number | null }
  | { state: 'doubtful'; since: number; nextTry: Monotonic; problem: Problem }
  | { state: 'offline'; since: number; nextTry: Monotonic; problem: Problem }

/**
 * Whether one address responds, shared by all accounts that use it. After a failure only one
 * request at a time probes it: at `nextTry`, or when a person requests something.
 */
export interface Circuit {
  state(): CircuitState
  /**
   * Requests permission to send: `go` when online, `probe` for the one request that tests the
   * address, `wait` for all others.
   */
  requestSend(person: boolean): 'go' | 'probe' | 'wait'
  answered(): void
  /**
   * No response of the service came. One lost response makes an address doubtful; two in a row make
   * it offline.
   */
  failed(problem: Problem): void
  /** A response is late. However late responses are, they don't make an address offline. */
  doubted(problem: Problem): void
  /** A probe finished without a result. */
  released(): void
  /** Whether to test a doubtful address now: one test at a time, until `tested`. */
  requestTest(): boolean
  tested(): void
  /** Calls the listener at each change; the returned function removes it. */
  onChange(listener: () => void): () => void
}

export function createCircuit(clock: Clock, random: Randomness): Circuit {
  const listeners = new Set<() => void>()
  let failures = 0
  let onlineSince: number | null = null
  let doubt: Extract<CircuitState, { state: 'doubtful' }> | null = null
  let doubts = 0
  let offline: Extract<CircuitState, { state: 'offline' }> | null = null
  let probing = false
  let testing = false
  const notify = (): void => {
    for (const listener of Array.from(listeners)) listener()
  }
  /** Later after each failure, up to a minute. */
  const nextTryAfter = (count: number): Monotonic =>
    later(
      clock.monotonic(),
      Math.round(Math.min(longestMs, firstMs * 2 ** (count - 1)) * (0.75 + random.fraction() / 2)),
    )
  function doubted(problem: Problem): void {
    if (offline !== null) return
    doubts += 1
    doubt = {
      state: 'doubtful',
      since: doubt?.since ?? clock.now(),
      nextTry: nextTryAfter(doubts),
      problem,
    }
    notify()
  }
  return {
    state: () => offline ?? doubt ?? { state: 'online', since: onlineSince },
    requestSend(person) {
      if (offline === null) return 'go'
      if (probing || (!person && clock.monotonic() < offline.nextTry)) return 'wait'
      probing = true
      return 'probe'
    },
    answered() {
      probing = false
      failures = 0
      doubts = 0
      onlineSince ??= clock.now()
      if (offline === null && doubt === null) return
      offline = null
      doubt = null
      notify()
    },
    failed(problem) {
      probing = false
      failures += 1
      if (offline === null && failures < 2 && problem.code !== 'OFFLINE') return doubted(problem)
      onlineSince = null
      offline = {
        state: 'offline',
        since: offline?.since ?? doubt?.since ?? clock.now(),
        nextTry: nextTryAfter(failures),
        problem,
      }
      notify()
    },
    doubted,
    released() {
      probing = false
      notify()
    },
    requestTest() {
      if (offline !== null) return true
      if (doubt === null || testing || clock.monotonic() < doubt.nextTry) return false
      testing = true
      return true
    },
    tested() {
      testing = false
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
