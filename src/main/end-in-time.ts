import type { UtilityProcess } from 'electron'

/**
 * Asks a process to end, and kills it when it hasn't after so many milliseconds: Node may stand
 * still in its own end.
 */
export function endInTime(child: Pick<UtilityProcess, 'kill' | 'pid'>, ms: number): void {
  const { pid } = child
  child.kill()
  // A process that has ended has no pid any more; the system may have given it to another one.
  setTimeout(() => {
    if (pid !== undefined && child.pid === pid) process.kill(pid, 'SIGKILL')
  }, ms).unref()
}
