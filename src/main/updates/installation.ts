import { spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { sep } from 'node:path'
import type { App } from 'electron'

/**
 * How this Keydesk was installed, if it can install an update itself. Administrators update
 * Debian's package and Flatpak; macOS lets only its own updater replace an app.
 */
export type Installation =
  | { kind: 'nsis' }
  | {
      kind: 'appimage'
      /** The image that this Keydesk runs from. */
      path: string
    }

type Machine = {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  /** The running program. */
  program: string
}

/** The installation of a packaged app; null if Keydesk can't update it. */
export function installationOf(
  app: Pick<App, 'isPackaged'>,
  { platform, env, program }: Machine = {
    platform: process.platform,
    env: process.env,
    program: process.execPath,
  },
): Installation | null {
  if (!app.isPackaged) return null
  if (platform === 'win32') return { kind: 'nsis' }
  const { APPIMAGE: path, APPDIR: mounted } = env
  // Another program's image can have started this one, and its variables are inherited.
  if (platform !== 'linux' || path === undefined || mounted === undefined) return null
  if (mounted === '' || !program.startsWith(`${mounted}${sep}`)) return null
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
    ? { kind: 'appimage', path }
    : null
}

/**
 * Installs a verified file when all of Keydesk's work has ended, and arranges the start of the new
 * version. Throws the system's error if the file can't take the place of the installed one, which
 * then stays.
 *
 * @param file the verified file
 */
export function install(
  installation: Installation,
  file: string,
  app: Pick<App, 'relaunch'>,
  start: typeof spawn = spawn,
): void {
  if (installation.kind === 'nsis') {
    // Silent, replaces the version of this user, and starts the new one when this process has ended.
    const options = { detached: true, stdio: 'ignore' } as const
    start(file, ['--updated', '/S', '--force-run'], options).unref()
    return
  }
  const { path } = installation
  const beside = `${path}.new`
  try {
    copyFileSync(file, beside)
    chmodSync(beside, 0o755)
    const copied = openSync(beside, 'r+')
    fsyncSync(copied)
    closeSync(copied)
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
  app.relaunch({ execPath: path, args: [] })
}
