/**
 * Where the service keeps its database: the user's data folder by platform, a folder of the command
 * line, or a temporary one.
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
 * The user's cache folder by platform; what is in it can be thrown away. Not the shared temporary
 * folder: code is read from it.
 */
export function userCacheFolder({ platform, home, env }: Machine): string {
  if (platform === 'win32')
    return join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), NAME, 'code')
  if (platform === 'darwin') return join(home, 'Library', 'Caches', NAME)
  const xdg = env['XDG_CACHE_HOME']
  return join(xdg?.startsWith('/') === true ? xdg : join(home, '.cache'), NAME)
}

/** A folder to work in and what to do with it at the end: a temporary one is removed. */
export function workFolder(dataFolder: string | null): { path: string; leave: () => void } {
  if (dataFolder !== null) return { path: dataFolder, leave: () => undefined }
  const path = mkdtempSync(join(tmpdir(), `${NAME}-`))
  return { path, leave: () => rmSync(path, { recursive: true, force: true }) }
}
