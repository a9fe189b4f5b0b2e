/** A mirror file filled with the bench's catalogue, in the way a first full listing fills it. */
import type { Database } from 'better-sqlite3'
import {
  LATE_INDEX_MINIMUM,
  startListing,
  finishListing,
  dropLateIndexes,
} from '../../src/core/catalogue/records/indexes.ts'
import { catalogueSchema } from '../../src/core/catalogue/schema.ts'
import { productWriter } from '../../src/core/catalogue/store.ts'
import { openDatabase } from '../../src/core/mirror/database/open-database.ts'
import { benchProduct } from './catalogue.ts'

/**
 * Products per write: a large first listing writes several pages together, because the service's
 * responses arrive at the same time.
 */
const pageOf = (count: number): number => (count >= LATE_INDEX_MINIMUM ? 500 : 100)

/**
 * Fills a mirror of `count` products by pages; `told` receives the number written so far and the
 * CPU time of writing alone. Returns the open mirror.
 */
export async function fillMirror(
  file: string,
  count: number,
  told: (written: number, writingCpuMs: number) => void = () => {},
): Promise<{ db: Database; finishCpuMs: number }> {
  const db = openDatabase(file, [catalogueSchema])
  db.pragma('synchronous = NORMAL')
  db.pragma('secure_delete = OFF')
  startListing(db)
  dropLateIndexes(db, count)
  const writer = productWriter(db)
  const size = pageOf(count)
  let cpu = 0
  for (let from = 0; from < count; from += size) {
    const page = Array.from({ length: Math.min(size, count - from) }, (_, i) =>
      benchProduct(from + i),
    )
    const began = process.cpuUsage()
    db.transaction(() => writer.put(page, { at: 1, round: 1, page: null, seq: 1 + from / size }))()
    cpu += msSince(began)
    told(from + page.length, cpu)
  }
  const began = process.cpuUsage()
  await finishListing(db, new AbortController().signal)
  return { db, finishCpuMs: msSince(began) }
}

export function msSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}
