import { ApiError } from '../../api/errors.ts'
import type { Context } from '../context.ts'
import { reachCrashPoint } from '../crash-points.ts'
import { type Due, type DueWork, earliest } from './due-work.ts'
import type { WorkLoop } from './work-loop.ts'
import { yieldToRequests } from './yield-to-requests.ts'

/** Advances of the service's clock, which run everything that becomes due on the way. */
export interface ClockAdvances {
  /** Allows advances again after a stop. */
  start(): void
  /** Ends the current advance after its current piece of work. */
  stop(): Promise<void>
  /** See `Scheduler.settle`. */
  settle(): Promise<void>
  /** See `Scheduler.runThrough`. */
  runThrough(
    until: () => number,
    moveClock: (at: number) => void,
    reloadClock?: () => void,
  ): Promise<number>
}

/**
 * Moves the clock and runs the work. Punctual work awaits nothing, so one transaction covers both
 * and needs one disk sync.
 */
async function runDue(
  store: Context['store'],
  { work, at }: Due,
  moveClock: (at: number) => void,
  reloadClock: (() => void) | undefined,
): Promise<void> {
  if (work.punctual) {
    try {
      return store.transaction(() => {
        moveClock(at)
        void work.run(at)
      })
    } catch (error) {
      reloadClock?.()
      throw error
    }
  }
  moveClock(at)
  await work.run(at)
}

/** The `loop` is paused during an advance. */
export function createClockAdvances(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  works: readonly DueWork[],
  loop: WorkLoop,
): ClockAdvances {
  let lastAdvance: Promise<unknown> = Promise.resolve()
  let stopped = Promise.withResolvers<void>()
  let stopping = false
  let waiting = 0

  /**
   * Runs what became due in the meantime by the running clock. An order accepted during an advance
   * therefore doesn't wait for a receiver that hangs.
   */
  async function catchUp(): Promise<void> {
    for (
      let next = earliest(works);
      !stopping && next && next.at <= clock.now();
      next = earliest(works)
    ) {
      await next.work.run(next.at)
      await yieldToRequests()
    }
  }

  /**
   * Waits until the work has settled between two pieces of an advance. A stop doesn't wait for
   * something that only a receiver can end.
   */
  async function settled(work: DueWork): Promise<void> {
    let quiet = work.idle === undefined
    const idle = work.idle?.().then(() => (quiet = true))
    while (!quiet && !stopping) {
      // A wake-up during the catch-up below resolves this new promise, so it isn't lost.
      const woken = loop.nextWake()
      await catchUp()
      await Promise.race([idle, woken, stopped.promise])
    }
    await yieldToRequests()
    if (stopping)
      throw new ApiError(
        'SERVICE_UNAVAILABLE',
        'The service was stopped, reset or restored before the clock was advanced.',
      )
  }

  /**
   * Returns the time up to which everything due has run: `until()`, plus the real time that passed
   * on the way.
   */
  async function advance(
    until: () => number,
    moveClock: (at: number) => void,
    reloadClock: (() => void) | undefined,
  ): Promise<number> {
    try {
      await loop.pause()
      for (const work of works) await settled(work)
      const end = until()
      let reached = end
      for (let there = false; ;) {
        const next = earliest(works)
        if (next && next.at <= reached) {
          await runDue(store, next, moveClock, reloadClock)
          await settled(next.work)
          reachCrashPoint('clock.worked')
        } else if (there) return reached
        else {
          moveClock(end)
          reached = Math.max(end, clock.now())
          there = true
        }
      }
    } finally {
      loop.resume()
    }
  }

  function afterOthers<T>(work: () => Promise<T>): Promise<T> {
    const done = lastAdvance.then(work)
    lastAdvance = done.catch(() => undefined)
    return done
  }

  return {
    start() {
      stopping = false
      stopped = Promise.withResolvers<void>()
    },
    async stop() {
      stopping = true
      stopped.resolve()
      await lastAdvance
    },
    async settle() {
      // An advance runs the due work itself, and may wait for a receiver that is calling us.
      if (waiting > 0) return
      await afterOthers(async () => {
        await loop.pause()
        await catchUp().finally(loop.resume)
      })
    },
    runThrough(until, moveClock, reloadClock) {
      waiting += 1
      return afterOthers(() => advance(until, moveClock, reloadClock)).finally(() => {
        waiting -= 1
      })
    },
  }
}
