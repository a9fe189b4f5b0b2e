import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import type { Redactor } from './redact.ts'

/** Size limit of each of the two files, in bytes. */
const largestBytes = 512 * 1024
const longestLine = 4000

export interface Log {
  /** Writes one line: time, place, message. Never pass the body of a request or response. */
  write(where: string, what: string): void
}

/**
 * The console's own log: `<dataDir>/logs/keydesk.log` and its predecessor. It is small, private,
 * and contains no secrets.
 */
export function createLog(dataDir: string, clock: Clock, redactor: Redactor): Log {
  const folder = join(dataDir, 'logs')
  const path = join(folder, 'keydesk.log')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return {
    write(where, what) {
      const line = redactor
        .clean(`${where}: ${what}`)
        .replaceAll('\n', '\n    ')
        .slice(0, longestLine)
      try {
        if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > largestBytes)
          renameSync(path, join(folder, 'keydesk.1.log'))
        appendFileSync(path, `${new Date(clock.now()).toISOString()} ${line}\n`, { mode: 0o600 })
      } catch {
        // A full disk or a missing folder must not make the logged operation fail.
      }
    },
  }
}
