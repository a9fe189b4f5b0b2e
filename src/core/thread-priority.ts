import os from 'node:os'

/**
 * Lowers the priority of this thread below all others. Linux has a priority per thread; elsewhere
 * it would apply to the process, so nothing is done.
 */
export function lowerThreadPriority(): void {
  if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL)
}
