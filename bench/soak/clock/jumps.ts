import type { Clock } from '../../../src/core/clock.ts'

const minute = 60_000
const hour = 60 * minute
const year = 365 * 24 * hour
/** By how much the wall clock is set, in milliseconds: a minute, eight hours, a year; each way. */
const jumps: readonly number[] = [minute, 8 * hour, year].flatMap((ms) => [ms, -ms])
/** The wall clock strays no further, in milliseconds. */
const MOST_OFFSET_MS = 20 * year

/**
 * The directions of a round. In one direction only, a wait that follows the wall clock never ends,
 * or ends at once; jumps back and forth would hide it.
 */
export const directions = ['back', 'forward', 'both'] as const
export type Direction = (typeof directions)[number]

/** A clock whose wall time a soak sets; its monotonic time isn't affected. */
export interface JumpingClock extends Clock {
  /** Sets the wall clock in a state, by the jump that this state has had least often. */
  jumpIn(state: string): void
  /** How often the clock was set in a state. */
  jumpsIn(state: string): number
  /** How often each jump happened in each state. */
  counts(): ReadonlyMap<string, readonly number[]>
}

export function createJumpingClock(base: Clock, direction: Direction): JumpingClock {
  const isAllowed = (by: number): boolean =>
    direction === 'both' || by > 0 === (direction === 'forward')
  let offset = 0
  const counts = new Map<string, number[]>()
  return {
    now: () => base.now() + offset,
    monotonic: base.monotonic,
    after: base.after,
    jumpIn(state) {
      const known = counts.get(state) ?? jumps.map(() => 0)
      counts.set(state, known)
      const possible = jumps.flatMap((by, at) =>
        isAllowed(by) && Math.abs(offset + by) <= MOST_OFFSET_MS ? [at] : [],
      )
      const [next] = possible.toSorted((a, b) => (known[a] ?? 0) - (known[b] ?? 0))
      if (next === undefined) return
      known[next] = (known[next] ?? 0) + 1
      offset += jumps[next] ?? 0
    },
    jumpsIn: (state) => (counts.get(state) ?? []).reduce((sum, count) => sum + count, 0),
    counts: () => counts,
  }
}
