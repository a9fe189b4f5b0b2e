import type { Connection } from '../../../contract/app/accounts.ts'
import { wallTimeOf } from '../../clock.ts'
import { cancelledBeforeSending } from '../problems/cancelled.ts'
import type { ConnectionParts } from '../connection-parts.ts'

/** The state of a connection for the screen. */
export type ConnectionState = Pick<
  Connection,
  'state' | 'since' | 'nextTryAt' | 'problem' | 'budget'
>

/** Tracks whether a call can succeed: there is an accepted key and the address responds. */
export function createReadiness(parts: ConnectionParts, closing: AbortSignal) {
  const waiting = new Set<() => void>()
  /** When a key was last added or accepted; null while there is none or the service rejects it. */
  let acceptedSince: number | null = null

  const isAccepted = (): boolean => !('absent' in parts.credentials()) && parts.refusal() === null
  const isReady = (): boolean => isAccepted() && parts.circuit().state().state !== 'offline'

  return {
    /** Makes every waiting call check again: the key, the address or its state has changed. */
    wake(): void {
      acceptedSince = isAccepted() ? (acceptedSince ?? parts.clock.now()) : null
      for (const check of Array.from(waiting)) check()
    },
    /** Resolves when a call can succeed again; rejects when `signal` aborts. */
    whenReady: (signal: AbortSignal): Promise<void> =>
      new Promise((resolve, reject) => {
        const stopWaiting = (): void => {
          waiting.delete(check)
          signal.removeEventListener('abort', cancel)
          closing.removeEventListener('abort', cancel)
        }
        const check = (): void => {
          if (!isReady()) return
          stopWaiting()
          resolve()
        }
        const cancel = (): void => {
          stopWaiting()
          reject(cancelledBeforeSending())
        }
        if (signal.aborted || closing.aborted) return cancel()
        signal.addEventListener('abort', cancel)
        closing.addEventListener('abort', cancel)
        waiting.add(check)
        check()
      }),
    state(): ConnectionState {
      const budget = parts.schedule.budget()
      const idle = { since: null, nextTryAt: null, budget }
      const credentials = parts.credentials()
      if ('absent' in credentials) {
        const { state, since = null, absent } = credentials
        return { ...idle, state, since, problem: absent }
      }
      const refusal = parts.refusal()
      if (refusal !== null) return { ...idle, state: 'refused', ...refusal }
      const circuit = parts.circuit().state()
      if (circuit.state === 'offline') {
        const { state, since, problem } = circuit
        return {
          state,
          since,
          nextTryAt: wallTimeOf(parts.clock, circuit.nextTry),
          problem,
          budget,
        }
      }
      const heldMs = parts.schedule.heldFor()
      if (heldMs > 0)
        return {
          ...idle,
          state: 'slowed',
          nextTryAt: Math.ceil(parts.clock.now() + heldMs),
          problem: null,
        }
      if (circuit.state === 'doubtful') {
        const { state, since, problem } = circuit
        return { ...idle, state, since, problem }
      }
      const since = circuit.since === null ? null : Math.max(circuit.since, acceptedSince ?? 0)
      return { ...idle, state: 'online', since, problem: null }
    },
  }
}
