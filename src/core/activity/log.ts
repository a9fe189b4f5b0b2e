import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import type { Redactor } from './redact.ts'

/** Two files of this size at most, in bytes. */
const largestBytes = 512 * 1024
const longestLine = 4000

export interface Log {
  /** One line: when, where, what. Never a request's or an answer's body. */
  write(where: string, what: string): void
}

/**
 * The console's own log, `<dataDir>/logs/keydesk.log` and the one before it: small, private,
 * without secrets.
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
        // A full disk or a removed folder must not turn a note into a failure of what is noted.
      }
    },
  }
}
