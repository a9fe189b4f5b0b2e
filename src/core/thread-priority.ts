import os from 'node:os'

/**
 * From here on the thread leaves the processor to all others. Linux gives each thread a priority of
 * its own; elsewhere the whole process would have it, so nothing is done.
 */
export function leaveProcessor(): void {
  if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL)
}
