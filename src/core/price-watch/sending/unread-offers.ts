import { msSince } from '../../clock.ts'
import type { Clock, Monotonic } from '../../clock.ts'
import type { WatchStore } from '../store.ts'
import type { Send } from './send-store.ts'

/** How long an offer can't be read until its price is proposed again, in milliseconds. */
const GIVE_UP_MS = 60_000

type Tries = { readonly count: number; readonly since: Monotonic }

/**
 * Queued prices whose offers couldn't be read although the service responded. They are tried after
 * all others, once in each run, so that they delay none.
 */
export function createUnreadOffers(
  clock: Pick<Clock, 'monotonic'>,
  store: Pick<WatchStore, 'nextSends' | 'send'>,
) {
  const tries = new Map<string, Tries>()
  const triedInRun = new Set<string>()
  const triesOf = ({ sendId }: Send): number => tries.get(sendId)?.count ?? 0

  return {
    beginRun(): void {
      triedInRun.clear()
      for (const sendId of tries.keys())
        if (store.send(sendId)?.state !== 'queued') tries.delete(sendId)
    },
    /** The next queued prices of this run, at most `limit`. */
    next: (limit: number): Send[] =>
      store
        .nextSends(limit + tries.size)
        .filter(({ sendId }) => !triedInRun.has(sendId))
        .toSorted((a, b) => triesOf(a) - triesOf(b))
        .slice(0, limit),
    /** Notes that an offer couldn't be read. Returns whether its price must be proposed again. */
    note(send: Send): boolean {
      const since = tries.get(send.sendId)?.since ?? clock.monotonic()
      tries.set(send.sendId, { count: triesOf(send) + 1, since })
      triedInRun.add(send.sendId)
      return msSince(clock, since) >= GIVE_UP_MS
    },
  }
}
