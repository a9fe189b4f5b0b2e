import { later, systemClock } from '../clock.ts'
import type { Clock } from '../clock.ts'

/** The system's clock with time that a test skips: tasks that become due then run immediately. */
export function skippingClock(): { clock: Clock; skip(ms: number): void } {
  let skippedMs = 0
  const monotonic = () => later(systemClock.monotonic(), skippedMs)
  const waiting = new Set<() => void>()
  return {
    clock: {
      now: systemClock.now,
      monotonic,
      after(ms, task) {
        const due = later(monotonic(), ms)
        const cancel = systemClock.after(ms, run)
        function end(): void {
          waiting.delete(runIfDue)
          cancel()
        }
        function run(): void {
          end()
          task()
        }
        function runIfDue(): void {
          if (monotonic() >= due) run()
        }
        waiting.add(runIfDue)
        return end
      },
    },
    skip(ms) {
      skippedMs += ms
      for (const runIfDue of waiting) runIfDue()
    },
  }
}
