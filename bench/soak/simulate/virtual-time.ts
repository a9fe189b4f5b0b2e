import { AsyncLocalStorage } from 'node:async_hooks'
import { monotonicAt } from '../../../src/core/clock.ts'
import type { Clock } from '../../../src/core/clock.ts'

type Timer = { at: number; order: number; task: () => void }

/** The simulated code doesn't come to an end: it waits for nothing, or never stops working. */
export class Endless extends Error {}

/** Simulated time: timers and immediates of a whole process, run one at a time in a fixed order. */
export interface VirtualTime {
  /** The true time of the simulated world, in milliseconds since 1970. */
  now(): number
  after(ms: number, task: () => void): () => void
  /** Runs a task in the next turn of the event loop, after those that are already queued. */
  immediate(task: () => void): () => void
  /** The number of tasks that were run. */
  steps(): number
  /** Runs tasks until the promise settles. Rejects with {@link Endless} beyond one of the limits. */
  runUntil<T>(work: Promise<T>, limits: { ms: number; steps: number }): Promise<T>
  /** Forgets all tasks and starts at another time. */
  reset(start: number): void
}

/**
 * @param settled resolves when the process has nothing to do except the tasks of this scheduler:
 *   promises are settled, and files are read and written
 */
export function createVirtualTime(start: number, settled: () => Promise<void>): VirtualTime {
  let now = start
  let order = 0
  let steps = 0
  let timers = createHeap()
  let immediates: { task: (() => void) | null }[] = []

  function runNext(): boolean {
    for (let next = immediates.shift(); next !== undefined; next = immediates.shift()) {
      if (next.task === null) continue
      steps += 1
      next.task()
      return true
    }
    const timer = timers.take()
    if (timer === null) return false
    steps += 1
    now = Math.max(now, timer.at)
    timer.task()
    return true
  }

  return {
    now: () => now,
    steps: () => steps,
    after(ms, task) {
      const delay = Number.isFinite(ms) ? Math.max(0, Math.ceil(ms)) : 0
      const here = AsyncLocalStorage.snapshot()
      return timers.add({ at: now + delay, order: (order += 1), task: () => here(task) })
    },
    immediate(task) {
      const here = AsyncLocalStorage.snapshot()
      const entry: { task: (() => void) | null } = { task: () => here(task) }
      immediates.push(entry)
      return () => void (entry.task = null)
    },
    async runUntil(work, limits) {
      const until = { ms: now + limits.ms, steps: steps + limits.steps }
      let done = false
      const end = (): void => void (done = true)
      work.then(end, end)
      for (;;) {
        await settled()
        if (done) return work
        if (!runNext()) throw new Endless('it waits for something that never happens')
        if (now > until.ms) throw new Endless(`it takes more than ${limits.ms / 3_600_000} hours`)
        if (steps > until.steps) throw new Endless(`it takes more than ${limits.steps} steps`)
      }
    },
    reset(at) {
      now = at
      order = 0
      steps = 0
      timers = createHeap()
      immediates = []
    },
  }
}

/** Timers by time, then by order. */
function createHeap() {
  const heap: Timer[] = []
  const cancelled = new Set<Timer>()
  const isBefore = (a: Timer, b: Timer): boolean =>
    a.at < b.at || (a.at === b.at && a.order < b.order)
  const at = (index: number): Timer => heap[index] as Timer

  function swap(a: number, b: number): void {
    const held = at(a)
    heap[a] = at(b)
    heap[b] = held
  }
  function rise(index: number): void {
    for (let place = index; place > 0;) {
      const parent = (place - 1) >> 1
      if (!isBefore(at(place), at(parent))) return
      swap(place, parent)
      place = parent
    }
  }
  function sink(): void {
    for (let place = 0; ;) {
      let least = place
      for (const child of [2 * place + 1, 2 * place + 2])
        if (child < heap.length && isBefore(at(child), at(least))) least = child
      if (least === place) return
      swap(place, least)
      place = least
    }
  }
  function takeAny(): Timer | null {
    const [first] = heap
    const last = heap.pop()
    if (first === undefined || last === undefined) return null
    if (heap.length > 0) {
      heap[0] = last
      sink()
    }
    return first
  }
  return {
    add(timer: Timer): () => void {
      heap.push(timer)
      rise(heap.length - 1)
      let waiting = true
      const { task } = timer
      timer.task = () => {
        waiting = false
        task()
      }
      return () => {
        if (waiting) cancelled.add(timer)
        waiting = false
      }
    },
    take(): Timer | null {
      for (let timer = takeAny(); timer !== null; timer = takeAny())
        if (!cancelled.delete(timer)) return timer
      return null
    },
  }
}

/** A console's clock: its wall time can be wrong and be set; its durations are the world's. */
export function createConsoleClock(time: VirtualTime): Clock & { setBy(ms: number): void } {
  const origin = time.now()
  let set = 0
  return {
    now: () => time.now() + set,
    monotonic: () => monotonicAt(time.now() - origin),
    after: (ms, task) => time.after(ms, task),
    setBy: (ms) => void (set += ms),
  }
}
