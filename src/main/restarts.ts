/** Ends that come this close to each other, in milliseconds, are one trouble. */
const closeMs = 60_000
/** How many ends in that time are still answered by a new start. */
const most = 3

/**
 * Whether a process that ended by itself may be started again: yes, unless it keeps ending; then a
 * person must know.
 */
export function createRestarts(now: () => number): { allowed(): boolean } {
  let ends: number[] = []
  return {
    allowed() {
      const at = now()
      ends = [...ends.filter((end) => at - end < closeMs), at]
      return ends.length <= most
    },
  }
}
