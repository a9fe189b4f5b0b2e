import { pause } from '../clock.ts'
import type { Clock } from '../clock.ts'

/** A lifetime, such as that of a feature or of one account's files. Its work ends with it. */
export interface Scope {
  /** Aborts when the scope starts to end. */
  readonly signal: AbortSignal
  /** Registers work that must settle before the scope has ended, and returns it. */
  spawn<Result>(work: Promise<Result>): Promise<Result>
  /** Runs the task after all earlier tasks of the same key have settled. */
  serial<Result>(key: string, task: () => Promise<Result>): Promise<Result>
  /**
   * Runs the task now and again `ms` milliseconds after each run, until the scope ends. An error is
   * reported and does not stop the repetition.
   */
  every(ms: number, task: () => Promise<void>): void
  /**
   * Runs the task for each value, such as each change, until the scope ends. An error is reported
   * and does not stop the following ones.
   */
  each<Value>(values: AsyncIterable<Value>, task: (value: Value) => void): void
  /** Runs when the work of the scope has settled: the last one registered runs first. */
  onEnd(cleanup: () => void | Promise<void>): void
  /** A shorter lifetime within this one. It also ends when `until` aborts. */
  child(until?: AbortSignal): Scope
  /** Aborts the signal, waits for the work, and runs the cleanups. Later calls wait for the first. */
  end(): Promise<void>
}

export type ScopeOptions = {
  clock: Clock
  /** Receives errors that no caller handles: of repeated tasks and of cleanups. */
  report: (error: unknown) => void
}

/** Creates a scope that ends when {@link Scope.end} is called or when `until` aborts. */
export function createScope(options: ScopeOptions, until?: AbortSignal): Scope {
  const { clock, report } = options
  const ending = new AbortController()
  const { signal } = ending
  const work = new Set<Promise<unknown>>()
  const tails = new Map<string, Promise<unknown>>()
  const children = new Set<Scope>()
  const cleanups: (() => void | Promise<void>)[] = []
  let ended: Promise<void> | null = null

  function spawn<Result>(task: Promise<Result>): Promise<Result> {
    const tracked = task.finally(() => work.delete(tracked))
    work.add(tracked)
    return tracked
  }

  async function end(): Promise<void> {
    until?.removeEventListener('abort', endUnwatched)
    ending.abort()
    // Work may start more work before it settles.
    while (work.size > 0 || children.size > 0)
      await Promise.allSettled([...work, ...Array.from(children, (child) => child.end())])
    for (const cleanup of cleanups.splice(0).toReversed()) {
      try {
        await cleanup()
      } catch (error) {
        report(error)
      }
    }
  }

  function endUnwatched(): void {
    void scope.end()
  }

  const scope: Scope = {
    signal,
    spawn,
    serial(key, task) {
      const turn = (tails.get(key) ?? Promise.resolve()).then(task, task)
      const tail = spawn(turn).finally(() => {
        if (tails.get(key) === tail) tails.delete(key)
      })
      tails.set(key, tail)
      return tail
    },
    every(ms, task) {
      async function repeat(): Promise<void> {
        while (!signal.aborted) {
          try {
            await task()
          } catch (error) {
            if (!signal.aborted) report(error)
          }
          await pause(clock, ms, signal)
        }
      }
      void spawn(repeat())
    },
    each(values, task) {
      async function read(): Promise<void> {
        for await (const value of values) {
          try {
            task(value)
          } catch (error) {
            if (!signal.aborted) report(error)
          }
        }
      }
      void spawn(read()).catch(report)
    },
    onEnd: (cleanup) => void cleanups.push(cleanup),
    child(childUntil) {
      const child = createScope(options, childUntil)
      children.add(child)
      child.onEnd(() => void children.delete(child))
      if (signal.aborted) void child.end()
      else
        signal.addEventListener('abort', () => void child.end(), {
          once: true,
          signal: child.signal,
        })
      return child
    },
    end: () => (ended ??= end()),
  }
  if (until?.aborted === true) void scope.end()
  else until?.addEventListener('abort', endUnwatched, { once: true })
  return scope
}
