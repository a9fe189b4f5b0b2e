import type { Priority } from '../../context.ts'
import type { Randomness } from '../../randomness.ts'

const firstMs = 500
const longestMs = 30_000

/**
 * The longest wait that a response can impose, in milliseconds. The service's windows last one
 * minute. A longer Retry-After, perhaps from a proxy, must not stop the console for a day, so
 * Keydesk sends one request after this time.
 */
export const longestWaitMs = 300_000

/** How long a call is retried in total before its last failure is reported, in milliseconds. */
export const patience: Record<Priority, number> = {
  person: 40_000,
  watch: 30_000,
  background: 300_000,
}

/**
 * Milliseconds before the next try: 0.5 s, 1 s, 2 s … at most 30 s. Up to half of it is subtracted
 * at random so that many clients don't return together, but never below the wait that the service
 * asked for.
 *
 * @param failures failed tries so far, at least 1
 */
export function backoff(failures: number, random: Randomness, askedMs: number | null): number {
  const full = Math.min(longestMs, firstMs * 2 ** (failures - 1))
  return Math.max(askedMs ?? 0, Math.round(full * (0.5 + random.fraction() / 2)))
}
