import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Database } from 'better-sqlite3'
import { systemClock } from '../../clock.ts'
import type { Clock } from '../../clock.ts'
import type { Mirrors } from '../../context.ts'
import { makeFolder, syncFolder } from '../../durable-files.ts'
import { isDamage } from '../repair/damage.ts'
import { FILE_SUFFIXES, openDatabase } from '../database/open-database.ts'
import { moveListsToMirror, splitCatalogueFile } from './split-catalogue.ts'
import { salvage } from '../repair/salvage.ts'
import { setAside } from '../repair/set-aside.ts'
import type { FeatureSchema } from '../schema.ts'

export interface MirrorFiles extends Mirrors {
  /**
   * Closes an account's files after one was found damaged, and sets that one aside. Readable
   * journal records are carried over; a mirror or catalogue is recreated on its next use. The other
   * files don't change.
   */
  replaceDamaged(accountId: string, place: Damage['place']): void
  /**
   * Closes an account's files and removes its mirror and catalogue, which are recreated on their
   * next use. The journal stays.
   */
  discard(accountId: string): void
  /** Closes an account's files until their next use. */
  release(accountId: string): void
  /** Accounts whose files are open. */
  opened(): string[]
  isOpen(accountId: string): boolean
  /** Whether the account has files. */
  exist(accountId: string): boolean
  /** Closes an account's files and removes them. */
  remove(accountId: string): void
  close(): void
}

/**
 * Damage found while an account's files were opened, and the name under which the damaged file is
 * kept. For a journal, also how many records were carried over.
 */
export type Damage = { kept: string } & (
  | { place: 'mirror' | 'catalogue' }
  | { place: 'journal'; carried: number; lost: readonly string[] }
)

/** The suffix of a journal that is to take the place of a damaged one. */
const REPAIRED = '.repair'

/**
 * Opens three database files per account: `<dataDir>/catalogues` and `<dataDir>/mirrors` hold data
 * that can be synced again from the service, `<dataDir>/journals` holds data that exists only on
 * this computer. All three share one connection and open on first use; removing an account removes
 * them all. The catalogue also has a dedicated writer with its own connection.
 */
export function createMirrors(
  dataDir: string,
  schemas: readonly FeatureSchema[],
  onDamage: (accountId: string, damage: Damage) => void = () => {},
  clock: Clock = systemClock,
): MirrorFiles {
  const schemasOf = (wanted: Damage['place']): FeatureSchema[] =>
    schemas.filter(({ place = 'mirror' }) => place === wanted)
  const [mirrorSchemas, catalogueSchemas, journalSchemas] = [
    schemasOf('mirror'),
    schemasOf('catalogue'),
    schemasOf('journal'),
  ]
  const folders = {
    mirror: join(dataDir, 'mirrors'),
    catalogue: join(dataDir, 'catalogues'),
    journal: join(dataDir, 'journals'),
  }
  for (const folder of Object.values(folders)) makeFolder(folder)
  const open = new Map<string, Database>()
  const prepared = new Set<string>()
  const pathIn =
    (folder: string) =>
    (accountId: string): string => {
      if (!/^[A-Za-z0-9-]{1,64}$/.test(accountId)) throw new Error('not an account id')
      return join(folder, `${accountId}.db`)
    }
  const path = pathIn(folders.mirror)
  const cataloguePath = pathIn(folders.catalogue)
  const journalPath = pathIn(folders.journal)

  const keptName = (aside: string): string => relative(dataDir, aside).replaceAll(sep, '/')

  /**
   * Carries the readable records of a damaged journal over into a new one, which then takes its
   * place. If Keydesk stops before, the damaged one is still there; see `finishSalvage`.
   */
  function salvageJournal(accountId: string): Database {
    const damaged = journalPath(accountId)
    const fresh = damaged + REPAIRED
    for (const suffix of FILE_SUFFIXES) rmSync(fresh + suffix, { force: true })
    const journal = openDatabase(fresh, journalSchemas)
    let saved: ReturnType<typeof salvage>
    try {
      saved = salvage(journal, damaged)
    } finally {
      journal.close()
    }
    const aside = setAside(damaged, clock.now())
    finishSalvage(accountId)
    onDamage(accountId, { place: 'journal', kept: keptName(aside), ...saved })
    return openDatabase(damaged, journalSchemas)
  }

  /** A damaged journal is set aside only once its successor is complete. */
  function finishSalvage(accountId: string): void {
    const file = journalPath(accountId)
    if (existsSync(file) || !existsSync(file + REPAIRED)) return
    renameSync(file + REPAIRED, file)
    syncFolder(folders.journal)
  }

  function prepareJournal(accountId: string): void {
    finishSalvage(accountId)
    let journal: Database
    try {
      journal = openDatabase(journalPath(accountId), journalSchemas)
    } catch (error) {
      if (!isDamage(error)) throw error
      journal = salvageJournal(accountId)
    }
    try {
      importOldJournal(journal, path(accountId), journalSchemas)
    } finally {
      journal.close()
    }
  }

  /** Opens a file that can be synced again. A damaged one is set aside and replaced. */
  function openOrReplace(accountId: string, place: 'mirror' | 'catalogue'): Database {
    const [file, schemas] =
      place === 'mirror'
        ? [path(accountId), mirrorSchemas]
        : [cataloguePath(accountId), catalogueSchemas]
    try {
      return openDatabase(file, schemas)
    } catch (error) {
      if (!isDamage(error)) throw error
      const kept = keptName(setAside(file, clock.now()))
      const fresh = openDatabase(file, schemas)
      onDamage(accountId, { place, kept })
      return fresh
    }
  }

  function openAll(accountId: string): Database {
    prepareJournal(accountId)
    splitCatalogueFile(
      path(accountId),
      cataloguePath(accountId),
      [...mirrorSchemas, ...catalogueSchemas],
      catalogueSchemas,
    )
    openOrReplace(accountId, 'catalogue').close()
    const mirror = openOrReplace(accountId, 'mirror')
    attachAll(mirror, accountId)
    return mirror
  }

  function attachAll(mirror: Database, accountId: string): void {
    // A mirror holds no secrets, and writes lost in a crash are synced again.
    mirror.pragma('synchronous = NORMAL')
    mirror.pragma('secure_delete = OFF')
    mirror.prepare('ATTACH :path AS catalogue').run({ path: cataloguePath(accountId) })
    mirror.pragma('catalogue.synchronous = NORMAL')
    mirror.pragma('catalogue.secure_delete = OFF')
    moveListsToMirror(mirror, catalogueSchemas)
    mirror.prepare('ATTACH :path AS journal').run({ path: journalPath(accountId) })
    mirror.pragma('journal.synchronous = FULL')
    mirror.pragma('journal.secure_delete = ON')
  }

  /** Opens files that this run has repaired and migrated before; null if they changed since. */
  function openAgain(accountId: string): Database | null {
    const paths = [path, cataloguePath, journalPath].map((of) => of(accountId))
    if (!prepared.has(accountId) || !paths.every((file) => existsSync(file))) return null
    const mirror = openDatabase(path(accountId), [])
    try {
      attachAll(mirror, accountId)
      return mirror
    } catch (error) {
      mirror.close()
      if (!isDamage(error)) throw error
      return null
    }
  }

  function closeDatabase(accountId: string): void {
    open.get(accountId)?.close()
    open.delete(accountId)
  }
  function closeToChange(accountId: string): void {
    closeDatabase(accountId)
    prepared.delete(accountId)
  }

  function opened(accountId: string): Database {
    let database = open.get(accountId)
    if (database === undefined) {
      database = openAgain(accountId) ?? openAll(accountId)
      prepared.add(accountId)
      open.set(accountId, database)
    }
    return database
  }

  return {
    path,
    cataloguePath,
    journalPath,
    database: opened,
    glance(accountId, read) {
      const wasOpen = open.has(accountId)
      try {
        return read(opened(accountId))
      } finally {
        if (!wasOpen) closeDatabase(accountId)
      }
    },
    release: closeDatabase,
    opened: () => [...open.keys()],
    isOpen: (accountId) => open.has(accountId),
    exist: (accountId) => existsSync(journalPath(accountId)),
    replaceDamaged(accountId, place) {
      closeToChange(accountId)
      if (place === 'journal') return salvageJournal(accountId).close()
      const file = place === 'mirror' ? path(accountId) : cataloguePath(accountId)
      onDamage(accountId, { place, kept: keptName(setAside(file, clock.now())) })
    },
    discard(accountId) {
      closeToChange(accountId)
      for (const file of [path(accountId), cataloguePath(accountId)])
        for (const suffix of FILE_SUFFIXES) rmSync(file + suffix, { force: true })
    },
    remove(accountId) {
      closeToChange(accountId)
      // Also its damaged files and older copies, whose names begin with the file's.
      for (const folder of Object.values(folders))
        for (const name of readdirSync(folder))
          if (name.startsWith(`${accountId}.db`)) rmSync(join(folder, name), { force: true })
    },
    close() {
      for (const database of open.values()) database.close()
      open.clear()
    },
  }
}

/**
 * Copies journal tables from a mirror created when both were one file. Does nothing if there is
 * none.
 */
function importOldJournal(
  journal: Database,
  mirror: string,
  schemas: readonly FeatureSchema[],
): void {
  if (!existsSync(mirror)) return
  try {
    journal.prepare('ATTACH :mirror AS old').run({ mirror })
    const has = journal.prepare<{ table: string }>(
      "SELECT 1 FROM old.sqlite_schema WHERE type = 'table' AND name = :table",
    )
    journal.transaction(() => {
      for (const { importFromMirror: found } of schemas)
        if (found !== undefined && has.get({ table: found.table }) !== undefined)
          journal.exec(found.sql)
    })()
    journal.exec('DETACH old')
  } catch (error) {
    if (!isDamage(error)) throw error
  }
}
