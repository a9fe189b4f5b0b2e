import { statSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import type { Database } from 'better-sqlite3'
import { catalogueFilterSchema } from '../../contract/catalogue.ts'
import type { CatalogueFilter } from '../../contract/catalogue.ts'
import { prepared } from '../mirror/mirror.ts'
import { countChoices } from './counts.ts'
import type { Counts, GoesOn } from './counts.ts'
import { countProducts } from './facets.ts'
import { typedTexts } from './rehearsal.ts'
import { searchProducts } from './search.ts'
import type { Found, Sort } from './search.ts'

/** What can be asked of a mirror without the core's thread. */
export type Reading =
  | {
      what: 'search'
      filter: CatalogueFilter
      sort: Sort | null
      window: { offset: number; limit: number }
    }
  | { what: 'counts'; filter: CatalogueFilter }
export type Read<What extends Reading['what']> = { search: Found; counts: Counts }[What]

/**
 * To the worker: a question about a mirror file, or the wish to let go of it. Each is answered by
 * its number.
 */
export type ReadingMessage = { id: number; path: string } & ({ reading: Reading } | { letGo: true })
/** `stopped`: the counts were not wanted any more before they were made. */
export type ReadingAnswer =
  | { id: number; read: Found | Counts | null }
  | { id: number; stopped: true }
  | { id: number; error: Error }
/**
 * What a thread is started with: shared memory that holds the number of the message whose answer is
 * wanted; whether it leaves the processor to all others.
 */
export type ReadingShare = { wanted: Int32Array<SharedArrayBuffer>; isBehind: boolean }

/** Counts kept while a mirror stays as it is. */
const MOST_KEPT = 50
const CACHE_KIB = 16 * 1024

/**
 * Answers from a connection to the mirror, or throws what SQLite says. `all`: how many products
 * there are, where that is known already; `goesOn`: see {@link countChoices}.
 */
export function readFrom(
  db: Database,
  reading: Reading,
  all?: number,
  goesOn?: GoesOn,
): Found | Counts {
  // In one transaction: a search asks a thousand small questions, and else SQLite would lock the
  // file for each.
  return db.transaction(() =>
    reading.what === 'search'
      ? searchProducts(db, reading.filter, reading.sort, reading.window, all)
      : countChoices(db, reading.filter, goesOn),
  )()
}

/** What was counted holds as long as the mirror stays as it is. */
type Opened = {
  db: Database
  file: number
  version: number
  all: number
  kept: Map<string, Counts>
}

/**
 * Reads mirrors over connections of its own, which cannot write. A file that was put in the place
 * of another is opened anew.
 */
export function createMirrorReader() {
  const opened = new Map<string, Opened>()

  function letGo(path: string): void {
    opened.get(path)?.db.close()
    opened.delete(path)
  }
  function open(path: string): Opened {
    const file = statSync(path).ino
    const known = opened.get(path)
    if (known?.file === file) return known
    letGo(path)
    const db = new SqliteDatabase(path, { readonly: true, fileMustExist: true })
    db.pragma(`cache_size = -${CACHE_KIB}`)
    const fresh = { db, file, version: -1, all: 0, kept: new Map<string, Counts>() }
    opened.set(path, fresh)
    return fresh
  }
  function current(path: string): Opened {
    const from = open(path)
    const version = prepared(from.db, 'SELECT data_version FROM pragma_data_version')
      .pluck()
      .get() as number
    if (version !== from.version) {
      from.kept.clear()
      from.all = countProducts(from.db)
    }
    from.version = version
    return from
  }
  function counts(
    from: Opened,
    reading: Extract<Reading, { what: 'counts' }>,
    goesOn: GoesOn | undefined,
  ): Counts {
    if (from.kept.size >= MOST_KEPT) from.kept.clear()
    const key = JSON.stringify(reading.filter)
    const found = from.kept.get(key) ?? (readFrom(from.db, reading, undefined, goesOn) as Counts)
    from.kept.set(key, found)
    return found
  }

  return {
    read(path: string, reading: Reading, goesOn?: GoesOn): Found | Counts {
      const from = current(path)
      return reading.what === 'counts'
        ? counts(from, reading, goesOn)
        : readFrom(from.db, reading, from.all)
    },
    /**
     * Searches what nobody asked for, one text a step: the first letters somebody types then find
     * code that is compiled and pages that are read, and take half the time. Ends where the mirror
     * is let go of, or another file takes its place.
     */
    *rehearse(path: string): Generator<void, void> {
      const { db, all } = current(path)
      for (const query of typedTexts(db, all)) {
        if (opened.get(path)?.db !== db) return
        readFrom(
          db,
          {
            what: 'search',
            filter: catalogueFilterSchema.parse({ query }),
            sort: null,
            window: { offset: 0, limit: 50 },
          },
          all,
        )
        yield
      }
    },
    letGo,
  }
}
