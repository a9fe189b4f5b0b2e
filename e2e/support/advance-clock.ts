/**
 * Loaded into a console before everything else (`--import`). Each SIGWINCH advances the wall clock
 * and the monotonic clock by a little more than a minute. It advances in steps, and timers due in
 * one step run before the next, so that the console sees time pass and doesn't assume that the
 * computer slept. Timers of the system itself, such as those of sockets, aren't affected.
 */
const stepMs = 5000
const steps = 13

type Waiting = { dueAt: number; everyMs: number | null; run: () => void }

const realNow = Date.now.bind(Date)
let ahead = 0
Date.now = () => realNow() + ahead
const realMonotonic = performance.now.bind(performance)
performance.now = () => realMonotonic() + ahead

const waiting = new Map<unknown, Waiting>()
const real = { setTimeout, setInterval, clearTimeout, clearInterval }

function timed(begin: typeof setTimeout | typeof setInterval, repeats: boolean) {
  return (task: (...values: unknown[]) => void, ms = 0, ...values: unknown[]): NodeJS.Timeout => {
    if (ms < stepMs) return begin(task, ms, ...values)
    const run = (): void => {
      const entry = waiting.get(timer)
      if (entry?.everyMs == null) waiting.delete(timer)
      else entry.dueAt = Date.now() + entry.everyMs
      task(...values)
    }
    const timer = begin(run, ms)
    waiting.set(timer, { dueAt: Date.now() + ms, everyMs: repeats ? ms : null, run })
    return timer
  }
}
const ended =
  (end: typeof clearTimeout) =>
  (timer: NodeJS.Timeout | string | number | undefined): void => {
    waiting.delete(timer)
    end(timer)
  }
globalThis.setTimeout = Object.assign(
  timed(real.setTimeout, false),
  real.setTimeout,
) as typeof setTimeout
globalThis.setInterval = Object.assign(
  timed(real.setInterval, true),
  real.setInterval,
) as typeof setInterval
globalThis.clearTimeout = ended(real.clearTimeout)
globalThis.clearInterval = ended(real.clearInterval)

process.on('SIGWINCH', () => {
  for (let step = 0; step < steps; step++) {
    ahead += stepMs
    for (const [timer, { dueAt, everyMs, run }] of waiting) {
      if (dueAt > Date.now()) continue
      if (everyMs === null) real.clearTimeout(timer as NodeJS.Timeout)
      run()
    }
  }
})
