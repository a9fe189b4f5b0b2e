/**
 * The folder of the service's database: the user's data folder by platform, a folder from the
 * command line, or a temporary one.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const NAME = 'keydesk-sandbox'

type Machine = {
  readonly platform: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * The user's data folder: `%LOCALAPPDATA%`, `~/Library/Application Support`, `$XDG_DATA_HOME` or
 * `~/.local/share`.
 */
export function userDataFolder({ platform, home, env }: Machine): string {
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), NAME)
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', NAME)
  const xdg = env['XDG_DATA_HOME']
  return join(xdg?.startsWith('/') === true ? xdg : join(home, '.local', 'share'), NAME)
}

/**
 * The user's cache folder by platform; its contents can be deleted. The shared temporary folder
 * isn't safe, because code is loaded from here.
 */
export function userCacheFolder({ platform, home, env }: Machine): string {
  if (platform === 'win32')
    return join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), NAME, 'code')
  if (platform === 'darwin') return join(home, 'Library', 'Caches', NAME)
  const xdg = env['XDG_CACHE_HOME']
  return join(xdg?.startsWith('/') === true ? xdg : join(home, '.cache'), NAME)
}

/** The database folder, and the cleanup at the end: a temporary folder is removed. */
export function workFolder(dataFolder: string | null): { path: string; leave: () => void } {
  if (dataFolder !== null) return { path: dataFolder, leave: () => undefined }
  const path = mkdtempSync(join(tmpdir(), `${NAME}-`))
  return { path, leave: () => rmSync(path, { recursive: true, force: true }) }
}
