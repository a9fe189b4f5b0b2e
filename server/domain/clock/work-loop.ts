import type { Context } from '../context.ts'
import { type DueWork, earliest } from './due-work.ts'
import { yieldToRequests } from './yield-to-requests.ts'

/** Runs due work as real time passes. */
export interface WorkLoop {
  start(): void
  /** Stops after the current piece of work. */
  stop(): Promise<void>
  /** Call this when something may have become due. */
  wake(): void
  /** Stops running work until `resume`, and resolves after the current turn. */
  pause(): Promise<void>
  /** Runs work again, and checks what became due in the meantime. */
  resume(): void
  /** Resolves at the next wake-up, even while the loop is paused. */
  nextWake(): Promise<void>
}

/**
 * Longest sleep. Later due times are checked again after it, because the computer's clock may have
 * been changed.
 */
const MAX_SLEEP_MS = 60_000
const AFTER_FAILURE_MS = 1000

export function createWorkLoop(
  { clock, log }: Pick<Context, 'clock' | 'log'>,
  works: readonly DueWork[],
): WorkLoop {
  let running = false
  let paused = false
  let loop: Promise<void> | null = null
  let again = false
  let timer: NodeJS.Timeout | null = null
  let woken = Promise.withResolvers<void>()

  /** Runs everything due. Returns how long to sleep before the next check. */
  async function runDue(): Promise<number> {
    let next = earliest(works)
    for (; running && next && next.at <= clock.now(); next = earliest(works)) {
      await next.work.run(next.work.punctual ? next.at : clock.now())
      await yieldToRequests()
    }
    next = earliest(works)
    return next ? Math.min(Math.max(next.at - clock.now(), 0), MAX_SLEEP_MS) : MAX_SLEEP_MS
  }

  async function turn(): Promise<void> {
    let sleep = AFTER_FAILURE_MS
    try {
      sleep = await runDue()
    } catch (error) {
      log.error('due work failed and will be retried', { error: String(error) })
    }
    if (running) timer = setTimeout(wake, sleep)
  }

  function clearTimer(): void {
    if (timer) clearTimeout(timer)
    timer = null
  }

  function wake(): void {
    if (paused) woken.resolve()
    if (!running || paused) return
    if (loop) {
      again = true
      return
    }
    clearTimer()
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

  return {
    start() {
      running = true
      wake()
    },
    async stop() {
      running = false
      clearTimer()
      await loop
    },
    wake,
    async pause() {
      paused = true
      await loop
    },
    resume() {
      paused = false
      wake()
    },
    nextWake() {
      woken = Promise.withResolvers<void>()
      return woken.promise
    },
  }
}
