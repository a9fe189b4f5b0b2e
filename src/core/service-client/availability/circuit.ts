import type { Problem } from '../../../contract/base.ts'
import { later } from '../../clock.ts'
import type { Clock, Monotonic } from '../../clock.ts'
import type { Randomness } from '../../randomness.ts'

const firstMs = 1000
const longestMs = 60_000

/**
 * `online` since the first response, or the first one after being offline; null before any
 * response. `since` is a wall time.
 */
export type CircuitState =
  | { state: 'online'; since: number | null }
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
  /** No response came. One lost response doesn't make an address offline; two in a row do. */
  failed(problem: Problem): void
  /** A probe finished without a result. */
  released(): void
  /** Calls the listener at each change; the returned function removes it. */
  onChange(listener: () => void): () => void
}

export function createCircuit(clock: Clock, random: Randomness): Circuit {
  const listeners = new Set<() => void>()
  let failures = 0
  let onlineSince: number | null = null
  let offline: Extract<CircuitState, { state: 'offline' }> | null = null
  let probing = false
  const notify = (): void => {
    for (const listener of Array.from(listeners)) listener()
  }
  return {
    state: () => offline ?? { state: 'online', since: onlineSince },
    requestSend(person) {
      if (offline === null) return 'go'
      if (probing || (!person && clock.monotonic() < offline.nextTry)) return 'wait'
      probing = true
      return 'probe'
    },
    answered() {
      probing = false
      failures = 0
      onlineSince ??= clock.now()
      if (offline === null) return
      offline = null
      notify()
    },
    failed(problem) {
      probing = false
      failures += 1
      if (offline === null && failures < 2 && problem.code !== 'OFFLINE') return
      const delay =
        Math.min(longestMs, firstMs * 2 ** (failures - 1)) * (0.75 + random.fraction() / 2)
      onlineSince = null
      offline = {
        state: 'offline',
        since: offline?.since ?? clock.now(),
        nextTry: later(clock.monotonic(), Math.round(delay)),
        problem,
      }
      notify()
    },
    released() {
      probing = false
      notify()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
