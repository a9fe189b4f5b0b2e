import type { UtilityProcess } from 'electron'

/**
 * Asks a process to exit, and kills it if it hasn't after this many milliseconds, because Node can
 * hang while it exits.
 */
export function stopProcess(child: Pick<UtilityProcess, 'kill' | 'pid'>, ms: number): void {
  const { pid } = child
  child.kill()
  // A process that has exited has no pid; the system may have given the number to another one.
  setTimeout(() => {
    if (pid !== undefined && child.pid === pid) process.kill(pid, 'SIGKILL')
  }, ms).unref()
}
