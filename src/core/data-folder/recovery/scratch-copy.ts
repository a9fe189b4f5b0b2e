import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  statfsSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { failure } from '../../failure.ts'

const PREFIX = 'keydesk-read-only-'
/** What a copy contains: the database, the safety copy, and the accounts' databases. */
const COPIED =
  /^(?:keydesk\.(?:db|db-wal|keep)|(?:journals|mirrors|catalogues)\/[^/]+\.db(?:-wal)?)$/
/** Catalogues can be larger than everything else, and the service has them. */
const OPTIONAL = /^catalogues\//

export interface ScratchCopy {
  path: string
  remove(): void
}

/**
 * Copies a data folder's databases to a private folder on a disk with enough space, to read them
 * without touching the originals. Throws Failure `DISK_FULL` if there is none.
 */
export function copyForReading(dataDir: string): ScratchCopy {
  const all = filesIn(dataDir)
  for (const files of [all, all.filter(({ path }) => !OPTIONAL.test(path))]) {
    const place = placeFor(files.reduce((sum, { bytes }) => sum + bytes, 0))
    if (place === null) continue
    removeAbandoned(place)
    const path = mkdtempSync(join(place, `${PREFIX}${process.pid}-`))
    const remove = (): void => rmSync(path, { recursive: true, force: true })
    try {
      for (const file of files) {
        mkdirSync(dirname(join(path, file.path)), { recursive: true, mode: 0o700 })
        copyFileSync(join(dataDir, file.path), join(path, file.path), constants.COPYFILE_FICLONE)
      }
      return { path, remove }
    } catch (error) {
      remove()
      throw error
    }
  }
  throw failure(
    'DISK_FULL',
    'There isn’t enough space for a copy of the data to read.',
    'Free up some space on any disk of this computer, then try again.',
    { effect: 'Nothing was changed.' },
  )
}

function filesIn(dataDir: string): { path: string; bytes: number }[] {
  return ['', 'journals', 'mirrors', 'catalogues']
    .flatMap((folder) =>
      existsSync(join(dataDir, folder))
        ? readdirSync(join(dataDir, folder)).map((name) =>
            folder === '' ? name : `${folder}/${name}`,
          )
        : [],
    )
    .filter((path) => COPIED.test(path))
    .map((path) => ({ path, bytes: statSync(join(dataDir, path)).size }))
}

/** A temporary folder whose disk has twice the space, for the logs that SQLite writes. */
function placeFor(bytes: number): string | null {
  const places = [tmpdir(), '/dev/shm']
  for (const place of places) {
    if (!existsSync(place)) continue
    try {
      const { bavail, bsize } = statfsSync(place)
      if (bavail * bsize > 2 * bytes + 16 * 2 ** 20) return place
    } catch {
      // Not a place for files.
    }
  }
  return null
}

/** Removes copies of consoles that were killed. */
function removeAbandoned(place: string): void {
  for (const name of readdirSync(place)) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1] ?? Number.NaN)
    if (Number.isNaN(pid) || isRunning(pid)) continue
    rmSync(join(place, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
