import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from 'electron'
import { isSound } from './report.ts'
import type { CoreChecks, SelfCheckReport } from './report.ts'

/** How long all checks can take together, in milliseconds. */
const limitMs = 90_000

export type SelfCheck = {
  /** Ends with the results of the core's process. */
  finish(checks: CoreChecks): void
  /** Ends early; the reason is for people. */
  fail(reason: string): void
}

/**
 * `keydesk --self-check` starts everything that an installation needs, with a hidden window and a
 * temporary data folder, prints one line of JSON and exits: with status 0 if all works. It neither
 * reads nor changes a person's data and can run beside a running Keydesk.
 *
 * @returns null if it wasn't requested
 */
export function requestedSelfCheck(app: App): SelfCheck | null {
  if (!app.commandLine.hasSwitch('self-check')) return null
  const folder = mkdtempSync(join(tmpdir(), 'keydesk-self-check-'))
  app.setPath('userData', folder)
  const limit = setTimeout(() => end('It took too long.', null), limitMs)

  function end(failure: string | null, checks: CoreChecks | null): void {
    clearTimeout(limit)
    const report: SelfCheckReport = {
      ok: checks !== null && isSound(checks),
      version: __KEYDESK_VERSION__,
      electron: process.versions['electron'],
      system: `${process.platform}-${process.arch}`,
      packaged: app.isPackaged,
      failure,
      checks,
    }
    process.stdout.write(`${JSON.stringify(report)}\n`, () => {
      remove(folder)
      app.exit(report.ok ? 0 : 1)
    })
  }

  return { finish: (checks) => end(null, checks), fail: (reason) => end(reason, null) }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  } catch {
    // On Windows Chromium holds its files until it exits; the system empties its own folder.
  }
}
