/**
 * The folders of the service: its database, in a folder from the command line or a temporary one,
 * and its cache.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Machine, SANDBOX_FOLDER as NAME, folderIn } from './api/user-folders.ts'

/**
 * The user's cache folder by platform; its contents can be deleted. The shared temporary folder
 * isn't safe, because code is loaded from here.
 */
export function userCacheFolder({ platform, home, env }: Machine): string {
  if (platform === 'win32')
    return join(folderIn(env['LOCALAPPDATA'], join(home, 'AppData', 'Local')), NAME, 'code')
  if (platform === 'darwin') return join(home, 'Library', 'Caches', NAME)
  return join(folderIn(env['XDG_CACHE_HOME'], join(home, '.cache')), NAME)
}

/** The database folder, and the cleanup at the end. */
export type WorkFolder = {
  readonly path: string
  /** Whether its data outlives the process, so that commits wait for the disk. */
  readonly durable: boolean
  readonly leave: () => void
}

/** The folder of the command line, or, for null, a temporary one that is removed at the end. */
export function workFolder(dataFolder: string | null): WorkFolder {
  if (dataFolder !== null) return { path: dataFolder, durable: true, leave: () => undefined }
  const path = mkdtempSync(join(tmpdir(), `${NAME}-`))
  return { path, durable: false, leave: () => rmSync(path, { recursive: true, force: true }) }
}
