import { REPLY_HOLD_MS } from '../../../contract/disputes/disputes.ts'
import { monotonicAt, msUntil } from '../../clock.ts'
import type { Clock, Monotonic } from '../../clock.ts'

/** In integer milliseconds, because the database stores integers. */
const after = (clock: Clock, ms: number): Monotonic =>
  monotonicAt(Math.ceil(clock.monotonic() + ms))

/** When a reply that is held from now on is sent. */
export const holdFromNow = (clock: Clock): Monotonic => after(clock, REPLY_HOLD_MS)

/** When a reply that isn't held any longer is sent. */
export const dueNow = (clock: Clock): Monotonic => after(clock, 0)

/**
 * Milliseconds until a reply is sent. Readings of an earlier run mean nothing in this one, which
 * holds those replies again; until then, the full time is left.
 */
export const msUntilSent = (clock: Clock, dueAt: Monotonic): number =>
  Math.min(Math.ceil(msUntil(clock, dueAt)), REPLY_HOLD_MS)
