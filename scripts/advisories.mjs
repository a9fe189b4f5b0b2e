import { spawnSync } from 'node:child_process'
import { npmCommand } from './lib/install.mjs'
import { root } from './lib/paths.mjs'
import { readAudit } from './lib/audit-report.mjs'

/*
 * `npm run advisories`: asks the configured registry for known vulnerabilities of the packages that
 * users run. Exits with 1 if there is one, and with 2 if the registry can't be asked. It needs a
 * network, so it isn't part of `npm test`.
 */
const { program, first, shell } = npmCommand()
const { stdout } = spawnSync(
  program,
  [...first, 'audit', '--omit=dev', '--json', '--audit=true', '--loglevel=error'],
  { cwd: root, shell, encoding: 'utf8' },
)
const { status, text } = readAudit(stdout ?? '')
console.log(text)
process.exitCode = status
