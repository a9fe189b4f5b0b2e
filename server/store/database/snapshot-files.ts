import {
  closeSync,
  constants,
  copyFileSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { copyFile, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { yieldToRequests } from '../../domain/clock/yield-to-requests.ts'
import { reachCrashPoint } from '../../domain/crash-points.ts'
import type {
  SnapshotFacts,
  SnapshotRepository,
  StateDifference,
} from '../../domain/ports/snapshots.ts'
import { syncFolder } from './atomic-files.ts'
import { databaseFile, LOG_PAGES } from './database.ts'
import { versionOf } from './migrate.ts'
import type { StateOpener } from './prepared-states.ts'
import { sealKeyFile } from './sealing.ts'
import { fileVersion, stateDifferences } from './state-differences.ts'
import { createWorkFolders } from './work-folders.ts'

const SUFFIX = '.sqlite'

const pathOf = (folder: string, name: string): string => join(folder, name + SUFFIX)

/** The facts of a snapshot, undefined when there is none. */
function factsOf(folder: string, name: string): SnapshotFacts | undefined {
  const found = statSync(pathOf(folder, name), { throwIfNoEntry: false })
  return found?.isFile() === true
    ? { name, createdAt: Math.round(found.mtimeMs), bytes: found.size }
    : undefined
}

/** Bytes 18 and 19 of a database file say that a write-ahead log belongs to it. */
const LOG_FIELDS = [18, 19] as const
const WITHOUT_LOG = 1

/** The complete database as the bytes of a file without a log. */
function imageOf(database: Database): Buffer {
  const bytes = database.serialize()
  for (const field of LOG_FIELDS) bytes[field] = WITHOUT_LOG
  return bytes
}

/** Never onto an existing file; a file system that can shares the blocks. */
const COPY = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE

/**
 * Writes the log into the database's file, which then contains everything. This waits for the disk
 * if commits do.
 */
function isInOneFile(database: Database): boolean {
  const [{ busy, log, checkpointed }] = database.pragma('wal_checkpoint(PASSIVE)') as [
    { busy: number; log: number; checkpointed: number },
  ]
  return busy === 0 && log === checkpointed
}

/** Makes the content and the date of a file, which is the snapshot's, durable. */
async function completeFile(path: string, at: number): Promise<void> {
  const file = await open(path, 'r+')
  try {
    for (const field of LOG_FIELDS) await file.write(Uint8Array.of(WITHOUT_LOG), 0, 1, field)
    await file.utimes(at / 1000, at / 1000)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Copies the database's file while requests are processed. */
interface FileCopies {
  /** Copies the current state of the database into a new private file without a log. */
  copyTo(path: string): Promise<void>
  /** Writes the log into the database's file unless that is being copied. */
  isInOneFile(): boolean
}

/**
 * While other threads copy the database's file, commits only add to the log, which was written into
 * the file before.
 */
function createFileCopies(present: () => Database, source: string): FileCopies {
  let copies = 0
  const writeLog = () => copies === 0 && isInOneFile(present())

  async function copyFileOf(database: Database, path: string): Promise<void> {
    copies += 1
    database.pragma('wal_autocheckpoint = 0')
    try {
      await copyFile(source, path, constants.COPYFILE_FICLONE)
    } finally {
      copies -= 1
      if (database.open) database.pragma(`wal_autocheckpoint = ${LOG_PAGES}`)
    }
  }
  return {
    isInOneFile: writeLog,
    async copyTo(path) {
      closeSync(openSync(path, 'wx', 0o600))
      let database: Database
      do {
        database = present()
        if (!database.memory && writeLog()) await copyFileOf(database, path)
        else await writeFile(path, imageOf(database))
        // Closing the database during the copy wrote the log into the file that was copied.
        if (!present().open) throw new Error('the database was closed')
      } while (database !== present())
    },
  }
}

/**
 * Snapshots as separate files in a folder beside the database, readable only by its owner because
 * they contain keys. Requests wait only while the log is written into the database's file.
 *
 * @param present the present connection
 * @param durable whether commits wait for the disk
 */
export function createSnapshots(
  present: () => Database,
  folder: string,
  states: StateOpener,
  durable: boolean,
): SnapshotRepository {
  const workFolders = createWorkFolders(folder)
  const source = join(folder, '..', databaseFile)
  const copies = createFileCopies(present, source)
  return {
    async save(name, at) {
      const work = workFolders.create()
      try {
        const path = join(work, name)
        reachCrashPoint('snapshot.begun')
        await copies.copyTo(path)
        await completeFile(path, at)
        reachCrashPoint('snapshot.written')
        renameSync(path, pathOf(folder, name))
        syncFolder(folder)
        reachCrashPoint('snapshot.named')
      } finally {
        workFolders.remove(work)
      }
      const saved = factsOf(folder, name)
      if (!saved) throw new Error(`snapshot ${name} was not written`)
      return saved
    },
    copyTo(target) {
      const path = join(target, databaseFile)
      if (!durable && copies.isInOneFile()) copyFileSync(source, path, COPY)
      else writeFileSync(path, imageOf(present()), { mode: 0o600, flag: 'wx' })
      copyFileSync(join(folder, '..', sealKeyFile), join(target, sealKeyFile))
    },
    copy: () => ({
      bytes: imageOf(present()),
      sealKey: readFileSync(join(folder, '..', sealKeyFile)),
    }),
    list() {
      const names = statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : []
      return names
        .filter((file) => file.endsWith(SUFFIX))
        .toSorted()
        .flatMap((file) => factsOf(folder, file.slice(0, -SUFFIX.length)) ?? [])
    },
    remove(name) {
      if (!factsOf(folder, name)) return false
      rmSync(pathOf(folder, name))
      syncFolder(folder)
      return true
    },
    async open(name) {
      const facts = factsOf(folder, name)
      if (!facts) return 'absent'
      const state = await states.copyOf(pathOf(folder, name), workFolders)
      return typeof state === 'string' ? state : { facts, state }
    },
    async compare(from, to) {
      if (!factsOf(folder, from) || (to !== null && !factsOf(folder, to))) return 'absent'
      const work = workFolders.create()
      try {
        const later = to === null ? join(work, 'present') : pathOf(folder, to)
        if (to === null) {
          await copies.copyTo(later)
          await completeFile(later, 0)
        }
        const earlier = pathOf(folder, from)
        const version = versionOf(present())
        if (fileVersion(earlier) !== version || fileVersion(later) !== version) return 'other'
        const found: StateDifference[] = []
        for (const part of stateDifferences(earlier, later)) {
          found.push(...part)
          await yieldToRequests()
        }
        return found
      } finally {
        workFolders.remove(work)
      }
    },
    openEmpty: () => states.empty(workFolders),
    openKept: (fits) => states.kept(fits, workFolders),
  }
}
