/**
 * The service's log: one line per event on standard error. Standard output is reserved for the
 * ready line.
 */
import type { Log } from './domain/ports/environment.ts'

const line = (level: string, message: string, fields?: Readonly<Record<string, unknown>>): string =>
  `${new Date().toISOString()} ${level} ${message}${fields === undefined ? '' : ` ${JSON.stringify(fields)}`}\n`

export const stderrLog: Log = {
  info: (message, fields) => void process.stderr.write(line('info', message, fields)),
  error: (message, fields) => void process.stderr.write(line('error', message, fields)),
}
