import type { Priority } from '../context.ts'
import type { Randomness } from '../randomness.ts'

const firstMs = 500
const longestMs = 30_000

/**
 * The longest wait that an answer can impose, in milliseconds. The service's windows last a minute;
 * whoever asks for more, a proxy perhaps, is asked again by one request after this time, and can't
 * stop the desk for a day by one header.
 */
export const longestWaitMs = 300_000

/** How long somebody waits for a call in all before its last failure is told, in milliseconds. */
export const patience: Record<Priority, number> = {
  person: 40_000,
  watch: 30_000,
  background: 300_000,
}

/**
 * Milliseconds before the next try: 0.5 s, 1 s, 2 s … at most 30 s, with up to a half of it taken
 * off at random so that many clients don't return together; never less than what the service asked
 * for.
 *
 * @param failures failed tries so far, at least 1
 */
export function backoff(failures: number, random: Randomness, askedMs: number | null): number {
  const full = Math.min(longestMs, firstMs * 2 ** (failures - 1))
  return Math.max(askedMs ?? 0, Math.round(full * (0.5 + random.fraction() / 2)))
}
