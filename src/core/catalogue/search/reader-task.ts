import { statSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import type { Database } from 'better-sqlite3'
import { catalogueFilterSchema } from '../../../contract/catalogue.ts'
import type { CatalogueFilter } from '../../../contract/catalogue.ts'
import { prepared } from '../../mirror/mirror.ts'
import { countChoices } from './counts.ts'
import type { Counts, ShouldContinue } from './counts.ts'
import { countProducts } from '../records/facets.ts'
import { warmUpTexts } from './warm-up.ts'
import { positionOfProduct, searchProducts } from './search.ts'
import type { Found, Position, Sort } from './search.ts'

/** Requests for a mirror that don't need the core's thread. */
export type ReadRequest =
  | {
      what: 'search'
      filter: CatalogueFilter
      sort: Sort | null
      window: { offset: number; limit: number }
    }
  | { what: 'position'; filter: CatalogueFilter; sort: Sort | null; productId: string }
  | { what: 'counts'; filter: CatalogueFilter }
type ReadResults = { search: Found; position: Position; counts: Counts }
export type ReadResult<What extends ReadRequest['what']> = ReadResults[What]
type Answer = ReadResults[keyof ReadResults]

/**
 * The messages of a reader thread: a request for a mirror file with a number of its own, or to close
 * the file. `stopped`: the counts were canceled before they were done.
 */
export type ReaderCalls = {
  request: { path: string } & ({ number: number; reading: ReadRequest } | { close: true })
  result: { read: Answer | null } | { stopped: true }
  progress: never
}
/**
 * Worker data of a reader thread: shared memory with the number of the request whose answer is
 * still needed, and whether the thread runs at low priority.
 */
export type ReaderThreadData = { wanted: Int32Array<SharedArrayBuffer>; isLowPriority: boolean }

/** Maximum number of cached counts per mirror version. */
const MAX_CACHED_COUNTS = 50
const CACHE_KIB = 16 * 1024

/**
 * Answers from a connection to the mirror, or throws SQLite's error. `all`: the number of products,
 * if already known; `goesOn`: see {@link countChoices}.
 */
export function answerRequest(
  db: Database,
  reading: ReadRequest,
  all?: number,
  goesOn?: ShouldContinue,
): Answer {
  // One transaction, because a search runs a thousand small queries and SQLite would otherwise lock
  // the file for each.
  return db.transaction((): Answer => {
    switch (reading.what) {
      case 'search':
        return searchProducts(db, reading.filter, reading.sort, reading.window, all)
      case 'position':
        return positionOfProduct(db, reading.filter, reading.sort, reading.productId)
      case 'counts':
        return countChoices(db, reading.filter, goesOn)
    }
  })()
}

/** Cached counts are valid for one version of the mirror. */
type Opened = {
  db: Database
  file: number
  version: number
  all: number
  kept: Map<string, Counts>
}

/** Reads mirrors over dedicated read-only connections. Reopens a file that was replaced. */
export function createReaderTask() {
  const opened = new Map<string, Opened>()

  function close(path: string): void {
    opened.get(path)?.db.close()
    opened.delete(path)
  }
  function open(path: string): Opened {
    const file = statSync(path).ino
    const known = opened.get(path)
    if (known?.file === file) return known
    close(path)
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
    reading: Extract<ReadRequest, { what: 'counts' }>,
    goesOn: ShouldContinue | undefined,
  ): Counts {
    if (from.kept.size >= MAX_CACHED_COUNTS) from.kept.clear()
    const key = JSON.stringify(reading.filter)
    const found =
      from.kept.get(key) ?? (answerRequest(from.db, reading, undefined, goesOn) as Counts)
    from.kept.set(key, found)
    return found
  }

  return {
    read(path: string, reading: ReadRequest, goesOn?: ShouldContinue): Answer {
      const from = current(path)
      return reading.what === 'counts'
        ? counts(from, reading, goesOn)
        : answerRequest(from.db, reading, from.all)
    },
    /**
     * Warms up the search with typical texts, one per step. The first letters a user types then
     * find compiled code and cached pages, and take half the time. Stops when the mirror is closed
     * or another file replaces it.
     */
    *warmUp(path: string): Generator<void, void> {
      const { db, all } = current(path)
      for (const query of warmUpTexts(db, all)) {
        if (opened.get(path)?.db !== db) return
        answerRequest(
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
    letGo: close,
  }
}
