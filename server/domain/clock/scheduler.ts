import { ApiError } from '../../api/errors.ts'
import { yieldToRequests } from './yield-to-requests.ts'
import type { Context } from '../context.ts'
import { reachCrashPoint } from '../crash-points.ts'

/** Work that becomes due at a time on the service's clock. */
export interface DueWork {
  /** When the earliest piece is due; null when nothing is due. */
  nextAt(): number | null
  /** Runs everything that is due at `at`, as of that time. */
  run(at: number): void | Promise<void>
  /**
   * Resolves when everything that `run` started has ended. Only work that continues after `run`
   * returns has it.
   */
  idle?(): Promise<void>
  /**
   * Each piece runs as of its own due time, however late, so the result is the same whether time
   * passed or the clock was moved. `run` awaits nothing.
   */
  readonly punctual?: true
}

export interface Scheduler {
  start(): void
  /** Stops after the current piece of work; also ends an advance. */
  stop(): Promise<void>
  /**
   * Call this when something may have become due. The scheduler checks after the current turn of
   * the event loop.
   */
  wake(): void
  /**
   * Runs everything due up to `until()`, in time order, each piece with the clock at its own due
   * time (dashboard clock/advance). Requests are processed in the meantime. Returns the time
   * reached, which includes the real time that passed. Advances run one after another: `until` is
   * called when its turn comes, and may throw. SERVICE_UNAVAILABLE when the scheduler stops before
   * the end.
   */
  runThrough(until: () => number, moveClock: (at: number) => void): Promise<number>
}

interface Due {
  work: DueWork
  at: number
}

/**
 * Longest sleep. Later due times are checked again after it, because the computer's clock may have
 * been changed.
 */
const MAX_SLEEP_MS = 60_000
const AFTER_FAILURE_MS = 1000

/**
 * One loop over all kinds of due work. A kill loses nothing, because each kind finds its work in
 * the store.
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
        log.error('due work failed and will be retried', { error: String(error) })
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
   * Runs what became due in the meantime by the running clock. An order accepted during an advance
   * therefore doesn't wait for a receiver that hangs.
   */
  async function catchUp(): Promise<void> {
    for (let next = earliest(); !stopping && next && next.at <= clock.now(); next = earliest()) {
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
      woken = Promise.withResolvers<void>()
      await catchUp()
      await Promise.race([idle, woken.promise, stopped.promise])
    }
    await yieldToRequests()
    if (stopping)
      throw new ApiError(
        'SERVICE_UNAVAILABLE',
        'The service was stopped, reset or restored before the clock was advanced.',
      )
  }

  /**
   * Moves the clock and runs the work. Punctual work awaits nothing, so one transaction covers both
   * and needs one disk sync.
   */
  async function runDue({ work, at }: Due, moveClock: (at: number) => void): Promise<void> {
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
   * Returns the time up to which everything due has run: `until()`, plus the real time that passed
   * on the way.
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
          await runDue(next, moveClock)
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
