import type { Transport } from '../../../server/api/client/client.ts'
import type { Problem } from '../../contract/base.ts'
import type { Clock, Monotonic } from '../clock.ts'
import type { ActivityLog } from '../context.ts'
import type { Randomness } from '../randomness.ts'
import type { Circuit } from './availability/circuit.ts'
import type { Schedule } from './schedule/schedule.ts'

/** The key and the address of a connection, or why it has none at the moment. */
export type Credentials =
  | { key: string; baseUrl: string }
  | { absent: Problem; state: 'starting' | 'offline' | 'refused'; since?: number }

export type ConnectionParts = {
  accountId: string | null
  clock: Clock
  random: Randomness
  schedule: Schedule
  /** The circuit of the current address. */
  circuit: () => Circuit
  transport: Transport<AbortSignal>
  credentials: () => Credentials
  /** Whether the service accepts Idempotency-Keys on seller calls (Decision 29). */
  takesIdempotencyKeys: () => boolean
  /** The service's standing rejection of the key; null while it accepts the key. */
  refusal: () => { problem: Problem; since: number } | null
  /** Called when the service rejects the key, the account or this computer's address. */
  refused: (problem: Problem) => void
  /** Called when the service accepts the key again. */
  accepted: () => void
  /** Called with the `Date` header of each response of the service, and when the request was sent. */
  dated: (date: string | undefined, sentAt: Monotonic) => void
  activity: ActivityLog
  /** Called when something that {@link ServiceConnection.state} shows has changed. */
  changed: () => void
}
