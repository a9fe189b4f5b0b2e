import { monotonicAt } from '../clock.ts'
import type { Clock } from '../clock.ts'

export interface ManualClock extends Clock {
  /** Advances the time and runs due tasks in order, each at its own time. */
  advance(ms: number): void
  /**
   * Advances to the next due task, by at most this much, and runs it. Returns the time advanced.
   */
  advanceToNext(mostMs: number): number
  /** Changes the time of day without any time passing, as a person who sets the clock. */
  setBy(ms: number): void
  /** Advances in steps and lets promises settle in between. */
  run(ms: number, stepMs?: number): Promise<void>
}

/** A clock that only moves when a test advances it. */
export function manualClock(start = Date.UTC(2026, 0, 5, 9)): ManualClock {
  let now = start
  let set = 0
  let order = 0
  const tasks = new Map<number, { at: number; task: () => void }>()
  function advance(ms: number): void {
    const end = now + ms
    for (;;) {
      const next = [...tasks]
        .filter(([, { at }]) => at <= end)
        .sort(([a, x], [b, y]) => x.at - y.at || a - b)[0]
      if (next === undefined) break
      const [id, { at, task }] = next
      tasks.delete(id)
      now = Math.max(now, at)
      task()
    }
    now = end
  }
  return {
    now: () => now + set,
    monotonic: () => monotonicAt(now),
    setBy(ms) {
      set += ms
    },
    after(ms, task) {
      const id = order++
      tasks.set(id, { at: now + Math.max(0, Math.ceil(ms)), task })
      return () => void tasks.delete(id)
    },
    advance,
    advanceToNext(mostMs) {
      let next = now + mostMs
      for (const { at } of tasks.values()) next = Math.min(next, Math.max(at, now))
      const by = next - now
      advance(by)
      return by
    },
    async run(ms, stepMs = 10) {
      for (let passed = 0; passed < ms; passed += stepMs) {
        advance(Math.min(stepMs, ms - passed))
        await new Promise<void>((resolve) => {
          setImmediate(resolve)
        })
      }
    },
  }
}
