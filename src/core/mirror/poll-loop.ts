import { later, wallTimeOf } from '../clock.ts'
import type { Clock, Monotonic } from '../clock.ts'
import type { Randomness } from '../randomness.ts'

/** A loop of sync passes. One runs at a time, each after a pause. */
export interface PollLoop {
  /**
   * Starts the next pass now, or right after the one in flight. Resolves when a pass that started
   * after the call has finished; false if it failed or the loop has stopped.
   */
  runNow(): Promise<boolean>
  /**
   * The wall time at which the next pass starts, to be shown. Null while one runs or waits for the connection,
   * and after the loop has stopped.
   */
  nextAt(): number | null
}

export type PollLoopOptions = {
  clock: Clock
  random: Randomness
  /** Stops the loop: no pass starts after it aborts. */
  signal: AbortSignal
  /** Resolves when a call to the service may succeed. */
  ready: (signal: AbortSignal) => Promise<void>
  pass: (signal: AbortSignal) => Promise<void>
  /** Milliseconds from the end of a pass to the start of the next. */
  pause: () => number
  /** Called for each failed pass. */
  onFailure: (error: unknown) => void
}

const FIRST_DELAY_MS = 1000
const LONGEST_DELAY_MS = 60_000

/**
 * Runs passes until `signal` aborts. A failed pass is retried after 1 s, then twice as long each
 * time, up to a minute.
 */
export function startPollLoop(options: PollLoopOptions): PollLoop {
  const { clock, random, signal } = options
  let nextAt: Monotonic | null = null
  let wake = (): void => {}
  let requested = false
  let waiting: ((succeeded: boolean) => void)[] = []

  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      if (requested || signal.aborted) return resolve()
      nextAt = later(clock.monotonic(), ms)
      const cancel = clock.after(ms, () => wake())
      wake = () => {
        cancel()
        nextAt = null
        wake = () => {}
        resolve()
      }
    })
  const stop = (): void => wake()
  signal.addEventListener('abort', stop, { once: true })

  const run = async (): Promise<void> => {
    let failures = 0
    while (!signal.aborted) {
      let served: typeof waiting = []
      let succeeded = false
      try {
        await options.ready(signal)
        requested = false
        served = waiting
        waiting = []
        await options.pass(signal)
        failures = 0
        succeeded = true
      } catch (error) {
        failures += 1
        if (!signal.aborted) options.onFailure(error)
      }
      for (const done of served) done(succeeded)
      if (signal.aborted) break
      const backoff =
        Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1)) *
        (0.75 + random.fraction() / 2)
      await sleep(failures > 0 ? backoff : options.pause())
    }
    for (const done of waiting) done(false)
    waiting = []
  }
  void run()

  return {
    runNow: () =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(false)
        requested = true
        waiting.push(resolve)
        wake()
      }),
    nextAt: () => (nextAt === null ? null : wallTimeOf(clock, nextAt)),
  }
}
