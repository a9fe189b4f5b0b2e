import { readFileSync } from 'node:fs'

/**
 * Jiffies of all processors since boot: used, and requested but given by the host to other
 * machines. Null where the system doesn't report them.
 */
function readCpuTimes(): { busy: number; taken: number } | null {
  try {
    const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] =
      /^cpu .*$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[0].split(/ +/).map(Number) ?? []
    return { busy: user + nice + system + irq + softirq, taken: steal }
  } catch {
    return null
  }
}

/**
 * Starts counting. The returned function gives the share, from 0 to 1, of the CPU time requested
 * since then that a virtual machine didn't get because its host gave it to others. Null where that
 * isn't reported. Measurements in this period took longer by that share, and even longer where two
 * threads wait for each other.
 */
export function countStolen(): () => number | null {
  const before = readCpuTimes()
  return () => {
    const now = readCpuTimes()
    if (before === null || now === null) return null
    const taken = now.taken - before.taken
    return taken / Math.max(1, taken + now.busy - before.busy)
  }
}
