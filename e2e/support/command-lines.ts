import { readFileSync, readdirSync } from 'node:fs'

/** The command lines of all processes of this computer, as each of its users can read them. */
function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      } catch {
        return []
      }
    })
}

/**
 * Collects command lines until it is stopped (only on Linux). `stop` returns those that match: a
 * process that lives only a few milliseconds can be missed.
 *
 * @param everyMs how often the processes are listed, in milliseconds
 */
export function watchCommandLines(everyMs = 5): { stop(which?: RegExp): string[] } {
  const seen = new Set<string>()
  const look = (): void => {
    for (const line of commandLines()) seen.add(line)
  }
  look()
  const timer = setInterval(look, everyMs)
  return {
    stop(which = /./) {
      clearInterval(timer)
      look()
      return [...seen].filter((line) => which.test(line))
    },
  }
}
