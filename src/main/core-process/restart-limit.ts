/** Exits within this time of each other count together, in milliseconds. */
const windowMs = 60_000
/** The number of exits in that time after which the process is still restarted. */
const maxRestarts = 3

/**
 * Whether a process that exited unexpectedly can be restarted: yes, unless it keeps exiting; then a
 * person must know.
 */
export function createRestartLimit(now: () => number): { allowed(): boolean } {
  let ends: number[] = []
  return {
    allowed() {
      const at = now()
      ends = [...ends.filter((end) => at - end < windowMs), at]
      return ends.length <= maxRestarts
    },
  }
}
