import { spawn } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { aptInstall } from '../platform/install-commands.ts'
import type { Updates } from '../platform/updates.ts'

/** The program that the package installs; the link to the running version moves with an update. */
const launcher = '/usr/bin/keydesk'
/** The Debian package's names of the processors. */
const architectures: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' }

/**
 * How the Debian package is updated: a person installs the verified file, and Keydesk restarts with
 * it. Undefined if Keydesk runs from its sources.
 *
 * @param program the folder of the running version, next to the link to the installed one
 */
export function installedUpdates(
  program: string,
  source: Updates['source'],
  restart: () => void,
): Updates | undefined {
  const current = join(program, '..', 'current')
  if (!existsSync(current)) return undefined
  return {
    source,
    platform: `linux-${architectures[process.arch] ?? process.arch}-deb`,
    installed() {
      try {
        if (realpathSync(current) === realpathSync(program)) return null
        const { version }: { version: unknown } = JSON.parse(
          readFileSync(join(current, 'package.json'), 'utf8'),
        )
        return typeof version === 'string' ? version : null
      } catch {
        // The package is being replaced or was removed.
        return null
      }
    },
    command: (path) => ({ line: aptInstall(path), steps: 'keep-running' }),
    restart,
  }
}

/** Starts the installed version, which opens a window, independently of this process. */
export function startInstalled(dataDir: string): void {
  spawn(launcher, ['--window', '--data', dataDir], { stdio: 'ignore', detached: true }).unref()
}
