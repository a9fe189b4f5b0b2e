import type { Context } from '../context.ts'
import { createClockAdvances } from './clock-advances.ts'
import type { DueWork } from './due-work.ts'
import { createWorkLoop } from './work-loop.ts'

export interface Scheduler {
  start(): void
  /** Stops after the current piece of work; also ends an advance. */
  stop(): Promise<void>
  /**
   * Call this when something may have become due. The scheduler checks after the current turn of
   * the event loop.
   */
  wake(): void
  /** Runs everything that is due now, unless the clock is being advanced. */
  settle(): Promise<void>
  /**
   * Runs everything due up to `until()`, in time order, each piece with the clock at its own due
   * time (dashboard clock/advance). Requests are processed in the meantime. Returns the time
   * reached, which includes the real time that passed. Advances run one after another: `until` is
   * called when its turn comes, and may throw. SERVICE_UNAVAILABLE when the scheduler stops before
   * the end. `reloadClock` is called when a move of the clock was rolled back.
   */
  runThrough(
    until: () => number,
    moveClock: (at: number) => void,
    reloadClock?: () => void,
  ): Promise<number>
}

/**
 * One loop over all kinds of due work. A kill loses nothing, because each kind finds its work in
 * the store.
 */
export function createScheduler(context: Context, works: readonly DueWork[]): Scheduler {
  const loop = createWorkLoop(context, works)
  const advances = createClockAdvances(context, works, loop)
  return {
    start() {
      advances.start()
      loop.start()
    },
    async stop() {
      await Promise.all([loop.stop(), advances.stop()])
    },
    wake: loop.wake,
    settle: advances.settle,
    runThrough: advances.runThrough,
  }
}
