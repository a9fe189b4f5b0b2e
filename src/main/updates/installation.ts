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

/** An installation that Keydesk replaces itself. */
type ReplacedByKeydesk =
  | { kind: 'nsis' }
  | {
      kind: 'appimage'
      /** The image that this Keydesk runs from. */
      path: string
    }

/**
 * How this Keydesk was installed. A person replaces the others: administrators install Debian's
 * package, Flatpak keeps an app from installing another, and macOS lets only its own updater
 * replace one.
 */
export type Installation = ReplacedByKeydesk | { kind: 'dmg' | 'deb' | 'flatpak' }

export const isReplacedByKeydesk = (of: Installation): of is ReplacedByKeydesk =>
  of.kind === 'nsis' || of.kind === 'appimage'

type Machine = {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  /** The running program. */
  program: string
  isFile(path: string): boolean
}

/** Where the packages put the program, and the list of its files that dpkg keeps. */
const debianProgram = '/opt/Keydesk/keydesk'
const debianFiles = '/var/lib/dpkg/info/keydesk-desktop.list'
const flatpakPrograms = '/app/'

/** The installation of a packaged app; null if it was only unpacked. */
export function installationOf(
  app: { readonly isPackaged: boolean },
  { platform, env, program, isFile }: Machine = {
    platform: process.platform,
    env: process.env,
    program: process.execPath,
    isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
  },
): Installation | null {
  if (!app.isPackaged) return null
  if (platform === 'win32') return { kind: 'nsis' }
  if (platform === 'darwin') return { kind: 'dmg' }
  if (platform !== 'linux') return null
  if (program === debianProgram) return isFile(debianFiles) ? { kind: 'deb' } : null
  const { APPIMAGE: path, APPDIR: mounted, FLATPAK_ID: flatpak } = env
  if (flatpak !== undefined && program.startsWith(flatpakPrograms)) return { kind: 'flatpak' }
  // Another program's image can have started this one, and its variables are inherited.
  if (path === undefined || mounted === undefined || mounted === '') return null
  return program.startsWith(`${mounted}${sep}`) && isFile(path) ? { kind: 'appimage', path } : null
}

/**
 * Installs a verified file when all of Keydesk's work has ended, and arranges the start of the new
 * version. Throws the system's error if the file can't take the place of the installed one, which
 * then stays.
 *
 * @param file the verified file
 */
export function install(
  installation: ReplacedByKeydesk,
  file: string,
  app: { relaunch(options: { execPath: string; args: string[] }): void },
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
