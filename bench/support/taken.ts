import { readFileSync } from 'node:fs'

/**
 * Jiffies of all processors since the start: at work, and wanted but given to others by what this
 * machine runs on. Null where the system doesn't say.
 */
function processorTimes(): { busy: number; taken: number } | null {
  try {
    const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] =
      /^cpu .*$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[0].split(/ +/).map(Number) ?? []
    return { busy: user + nice + system + irq + softirq, taken: steal }
  } catch {
    return null
  }
}

/**
 * Begins to count; the answer gives the share, from 0 to 1, of the processor time wanted since then
 * that a virtual machine did not get, because its host gave it to others. Null where that is not
 * told. What is measured meanwhile took so much longer, and longer still where two threads wait for
 * each other.
 */
export function countTaken(): () => number | null {
  const before = processorTimes()
  return () => {
    const now = processorTimes()
    if (before === null || now === null) return null
    const taken = now.taken - before.taken
    return taken / Math.max(1, taken + now.busy - before.busy)
  }
}
