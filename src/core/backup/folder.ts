import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { automaticSnapshot } from '../../../server/api/sandbox-database.ts'

/**
 * The folder where backups are written and uploaded ones are unpacked, and the name prefix for
 * replaced data.
 */
export const WORK = '.backup'
export const REPLACED = 'replaced-'
/** The name prefix for copies of the data from before an update, and the file that describes one. */
export const BEFORE_UPDATE = 'before-update-'
export const UPDATE_BACKUP = 'before-update.json'
/** The file that records which Keydesk last used the data. */
export const OPENED_BY = 'opened-by.json'

/** Entries that belong to the running console and not to its data. */
const EXCLUDED = new Set([
  'console.lock',
  'console.json',
  'console.lock-journal',
  'console.sock',
  'updates',
  'logs',
  WORK,
])
/**
 * Files that SQLite keeps next to a database, locks, older copies, and the safety copy, which could
 * be newer than the database in the same backup.
 */
const SQLITE_FILES =
  /(?:-wal|-shm|-journal|\.lock|\.before-update|\.damaged(?:-[\dTZ-]+)?|\.copy|\.keep|\.part)$/

const isKept = (name: string): boolean =>
  !SQLITE_FILES.test(name) && !name.startsWith(automaticSnapshot)

export const isDatabase = (path: string): boolean => /\.(?:db|sqlite)$/.test(path)

/** A folder of earlier data, which a person can delete. */
export const isEarlierData = (name: string): boolean =>
  /^(?:replaced|before-update)-[\w.+-]+$/.test(name)

/** The entries of the data folder that a restore replaces. */
export const dataEntries = (dataDir: string): string[] =>
  readdirSync(dataDir).filter(
    (name) => !EXCLUDED.has(name) && !name.startsWith(REPLACED) && !name.startsWith(BEFORE_UPDATE),
  )

/** The files of a backup by their path relative to the data folder, with `/` separators. */
export function dataFiles(dataDir: string): string[] {
  const walk = (below: string): string[] =>
    readdirSync(join(dataDir, below), { withFileTypes: true }).flatMap((entry) => {
      const path = `${below}/${entry.name}`
      if (entry.isDirectory()) return walk(path)
      return entry.isFile() && isKept(entry.name) ? [path] : []
    })
  return dataEntries(dataDir)
    .filter((name) => name !== OPENED_BY && name !== UPDATE_BACKUP)
    .flatMap((name) => {
      const found = statSync(join(dataDir, name), { throwIfNoEntry: false })
      if (found?.isDirectory() === true) return walk(name)
      return found?.isFile() === true && isKept(name) ? [name] : []
    })
    .toSorted()
}

/** Total size of a folder's files, in bytes. */
export const folderSize = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).reduce(
    (sum, entry) =>
      sum +
      (entry.isFile()
        ? (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0)
        : 0),
    0,
  )
