import { ApiError } from '../../api/errors.ts'
import { yieldToRequests } from './yield-to-requests.ts'
import type { Context } from '../context.ts'
import { reachCrashPoint } from '../crash-points.ts'

/** Work that becomes due at a time on the service's clock. */
export interface DueWork {
  /** When the earliest piece is due; null when there is none. */
  nextAt(): number | null
  /** Carries out what is due at `at`, as of then. */
  run(at: number): void | Promise<void>
  /** Resolves when what `run` left running has ended; only work that goes on after `run` has it. */
  idle?(): Promise<void>
  /**
   * Each piece is carried out as of its own due time, however late: what comes of it is the same
   * whether time passed or was moved. `run` awaits nothing.
   */
  readonly punctual?: true
}

export interface Scheduler {
  start(): void
  /** Ends after the piece of work at hand, an advance as well. */
  stop(): Promise<void>
  /** Something may have become due: looks at once, after the running turn of the event loop. */
  wake(): void
  /**
   * Carries out everything due up to `until()`, in time order, each piece with the clock at its own
   * due time (dashboard clock/advance). Requests are answered meanwhile. Gives the time up to which
   * that was done, real time that went by included. One advance at a time: `until` is asked when
   * its turn comes, and may throw. SERVICE_UNAVAILABLE when the scheduler is stopped before the
   * end.
   */
  runThrough(until: () => number, moveClock: (at: number) => void): Promise<number>
}

interface Due {
  work: DueWork
  at: number
}

/**
 * Longest sleep: a later due time is looked at again then, and the machine's clock may be set
 * meanwhile.
 */
const MAX_SLEEP_MS = 60_000
const AFTER_FAILURE_MS = 1000

/**
 * One loop over all kinds of due work; nothing of it is lost by a kill, since each kind finds its
 * work in the store.
 */
export function createScheduler(
  { store, clock, log }: Context,
  works: readonly DueWork[],
): Scheduler {
  let running = false
  let advancing = false
  let loop: Promise<void> | null = null
  let again = false
  let timer: NodeJS.Timeout | null = null
  let lastAdvance: Promise<unknown> = Promise.resolve()
  let stopped = Promise.withResolvers<void>()
  let woken = Promise.withResolvers<void>()
  let stopping = false

  function earliest(): Due | null {
    let first: Due | null = null
    for (const work of works) {
      const at = work.nextAt()
      if (at !== null && (!first || at < first.at)) first = { work, at }
    }
    return first
  }

  async function turn(): Promise<void> {
    let sleep = MAX_SLEEP_MS
    do {
      again = false
      try {
        for (let next = earliest(); running && next && next.at <= clock.now(); next = earliest()) {
          await next.work.run(next.work.punctual ? next.at : clock.now())
          await yieldToRequests()
        }
        const next = earliest()
        sleep = next ? Math.min(Math.max(next.at - clock.now(), 0), MAX_SLEEP_MS) : MAX_SLEEP_MS
      } catch (error) {
        log.error('due work failed; it is tried again', { error: String(error) })
        sleep = AFTER_FAILURE_MS
        break
      }
    } while (again && running)
    if (running) timer = setTimeout(wake, sleep)
  }

  function wake(): void {
    if (advancing) woken.resolve()
    if (!running || advancing) return
    if (loop) {
      again = true
      return
    }
    if (timer) clearTimeout(timer)
    timer = null
    loop = yieldToRequests()
      .then(turn)
      .finally(() => {
        loop = null
        if (again) {
          again = false
          wake()
        }
      })
  }

  /**
   * What came up meanwhile, by the clock as it goes on: an order that is accepted during an advance
   * waits for no receiver that hangs.
   */
  async function catchUp(): Promise<void> {
    for (let next = earliest(); !stopping && next && next.at <= clock.now(); next = earliest()) {
      await next.work.run(next.at)
      await yieldToRequests()
    }
  }

  /**
   * What an advance waits for between two pieces; a stop doesn't wait for what only the outside can
   * end.
   */
  async function settled(work: DueWork): Promise<void> {
    let quiet = work.idle === undefined
    const idle = work.idle?.().then(() => (quiet = true))
    while (!quiet && !stopping) {
      // Who wakes while it catches up is heard by the wait that follows.
      woken = Promise.withResolvers<void>()
      await catchUp()
      await Promise.race([idle, woken.promise, stopped.promise])
    }
    await yieldToRequests()
    if (stopping)
      throw new ApiError(
        'SERVICE_UNAVAILABLE',
        'The service was stopped, reset or restored before the clock was there.',
      )
  }

  /** Time and what happens at it in one wait for the disk, where nothing is awaited. */
  async function carryOut({ work, at }: Due, moveClock: (at: number) => void): Promise<void> {
    if (work.punctual) {
      return store.transaction(() => {
        moveClock(at)
        void work.run(at)
      })
    }
    moveClock(at)
    await work.run(at)
  }

  /**
   * Gives the time up to which everything due was carried out: `until()`, and what real time went
   * by on the way.
   */
  async function advance(until: () => number, moveClock: (at: number) => void): Promise<number> {
    advancing = true
    try {
      await loop
      for (const work of works) await settled(work)
      const end = until()
      let reached = end
      for (let there = false; ;) {
        const next = earliest()
        if (next && next.at <= reached) {
          await carryOut(next, moveClock)
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
      advancing = false
      wake()
    }
  }

  return {
    start() {
      running = true
      stopping = false
      stopped = Promise.withResolvers<void>()
      wake()
    },
    async stop() {
      running = false
      stopping = true
      stopped.resolve()
      if (timer) clearTimeout(timer)
      timer = null
      await lastAdvance
      await loop
    },
    wake,
    runThrough(until, moveClock) {
      const advanced = lastAdvance.then(() => advance(until, moveClock))
      lastAdvance = advanced.catch(() => undefined)
      return advanced
    },
  }
}
