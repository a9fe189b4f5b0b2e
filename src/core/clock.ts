import { uptime } from 'node:os'

declare const monotonic: unique symbol

/**
 * Milliseconds of the clock that only runs forward. A wall time is no `Monotonic`, so the two can't
 * be confused. It is meaningful only within the thread that read it.
 */
export type Monotonic = number & { readonly [monotonic]: true }

/** The injected time, so that tests can control it. Timers in milliseconds. */
export interface Clock {
  /**
   * The wall time in milliseconds since 1970-01-01T00:00:00Z. A person or the network can set it
   * to any time, so it measures no duration: it is for times that are shown, stored, or compared
   * with the service's ([decision 54](../../docs/decisions/0054-measure-durations-on-a-monotonic-clock.md)).
   */
  now(): number
  /** The time for durations: waits, limits and ages. It includes the time that the computer slept. */
  monotonic(): Monotonic
  /**
   * Runs `task` once `monotonic` has advanced by `ms`, never earlier; the returned function cancels
   * it. The timer alone doesn't keep the process alive.
   */
  after(ms: number, task: () => void): () => void
}

/** The longest timer the system supports; longer ones would fire immediately. */
const longestTimerMs = 2 ** 31 - 1
/** Differences up to this are the rounding of the system's uptime, in milliseconds. */
const uptimeStepMs = 2000
/** Reading the system's uptime takes 30 times as long as reading the exact clock. */
const UPTIME_EVERY_MS = 20

/** A reading at this many milliseconds, for implementations of a clock. */
export const monotonicAt = (ms: number): Monotonic => ms as Monotonic

/** A reading before all others. */
export const longAgo = monotonicAt(Number.NEGATIVE_INFINITY)

/** The reading `ms` later than another. */
export const later = (at: Monotonic, ms: number): Monotonic => monotonicAt(at + ms)

/** Milliseconds since a reading. */
export const msSince = (clock: Pick<Clock, 'monotonic'>, at: Monotonic): number =>
  clock.monotonic() - at

/** Milliseconds until a reading; 0 when it has passed. */
export const msUntil = (clock: Pick<Clock, 'monotonic'>, at: Monotonic): number =>
  Math.max(0, at - clock.monotonic())

/** The latest of some readings. */
export const latestOf = (...readings: readonly [Monotonic, ...Monotonic[]]): Monotonic =>
  monotonicAt(Math.max(...readings))

/** The wall time to show for a reading, by the present wall clock. */
export const wallTimeOf = (clock: Pick<Clock, 'now' | 'monotonic'>, at: Monotonic): number =>
  Math.round(clock.now() + (at - clock.monotonic()))

/**
 * The age of something whose wall time was stored, perhaps by an earlier run, in milliseconds. A
 * stored time in the future says that the clock was set back: the age is unknown, and 0 here.
 */
export const storedAgeMs = (clock: Pick<Clock, 'now'>, storedAt: number): number =>
  Math.max(0, clock.now() - storedAt)

/**
 * Whether something whose wall time was stored is at most `ms` old. A stored time in the future
 * has an unknown age: it isn't fresh.
 */
export function isFresh(clock: Pick<Clock, 'now'>, storedAt: number, ms: number): boolean {
  const age = clock.now() - storedAt
  return age >= 0 && age <= ms
}

/** Ages of records whose wall time is stored. */
export interface Ages {
  /** The record was written now. */
  note(id: string): void
  /**
   * The age of a record in milliseconds: exact for those noted in this run. Others are as old as
   * the wall clock said when this run first asked; a stored time in the future has the age that
   * the caller assumes.
   */
  ageMs(id: string, storedAt: number, assumedMs: number): number
}

/** Ages that no change of the wall clock affects while Keydesk runs. */
export function createAges(clock: Pick<Clock, 'now' | 'monotonic'>): Ages {
  const written = new Map<string, Monotonic>()
  return {
    note: (id) => void written.set(id, clock.monotonic()),
    ageMs(id, storedAt, assumedMs) {
      let at = written.get(id)
      if (at === undefined) {
        const age = clock.now() - storedAt
        written.set(id, (at = later(clock.monotonic(), -(age < 0 ? assumedMs : age))))
      }
      return msSince(clock, at)
    },
  }
}

/**
 * Readings of a clock that stops while the computer sleeps, with the time of the sleep added.
 * Changes of the wall clock affect neither: one that is ahead of the active time, as after a sleep,
 * only makes the next reading ask for the uptime.
 *
 * @param active milliseconds, exact, perhaps without sleep
 * @param sinceStart milliseconds since the computer started, with sleep, perhaps rounded to seconds
 * @param wall the wall clock in milliseconds
 */
export function countSleep(
  active: () => number,
  sinceStart: () => number,
  wall: () => number,
): () => Monotonic {
  let checkedAt = active()
  let wallAt = wall()
  let lead = sinceStart() - checkedAt
  const first = lead
  return () => {
    const at = active()
    const moved = Math.max(at - checkedAt, wall() - wallAt)
    if (moved >= UPTIME_EVERY_MS) {
      checkedAt = at
      wallAt = wall()
      const now = sinceStart() - at
      if (now - lead > uptimeStepMs) lead = now
    }
    return monotonicAt(at + lead - first)
  }
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: countSleep(
    () => performance.now(),
    () => uptime() * 1000,
    () => Date.now(),
  ),
  after: (ms, task) => {
    const due = later(systemClock.monotonic(), ms)
    let timer: NodeJS.Timeout
    // The system’s timers count whole milliseconds, so one can end shortly before `due`.
    function wait(left: number): void {
      timer = setTimeout(
        () => {
          const rest = msUntil(systemClock, due)
          if (rest > 0) wait(rest)
          else task()
        },
        Math.min(Math.ceil(left), longestTimerMs),
      )
      timer.unref()
    }
    wait(ms)
    return () => clearTimeout(timer)
  },
}

/** Resolves after `ms`, or immediately when `signal` aborts. */
export const pause = (clock: Clock, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const cancel = clock.after(ms, done)
    function done(): void {
      cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
