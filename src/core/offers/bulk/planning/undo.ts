import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import type { BulkLine } from '../../../../contract/offers/offer-bulk.ts'
import type { OfferRow } from '../../../../contract/offers/offers.ts'
import { readOffers } from '../../list/offer-rows.ts'
import { fingerprintOf, summaryOf } from './plan.ts'
import type { Plan } from './plan.ts'
import { currentState, noteBeyond } from './rules.ts'
import type { PriceLimits } from './rules.ts'
import type { StoredLine } from '../store.ts'

/** Offers are planned in chunks, so that the core can serve other requests in between. */
const CHUNK_SIZE = 500

type Parts = {
  db: Database
  limits: (row: OfferRow) => PriceLimits
  /** The price guard of the settings, in percent; 0 for none. */
  guardPercent: number
}

/**
 * Plans to restore the offers of a bulk change. An offer that changed since, or that was removed, is
 * left out.
 *
 * @param done The lines that were carried out.
 */
export async function planUndo(
  { db, limits, guardPercent }: Parts,
  done: Iterable<StoredLine>,
): Promise<Plan> {
  const lines: BulkLine[] = []
  for (const some of chunksOf(done, CHUNK_SIZE)) {
    const rows = new Map(
      readOffers(
        db,
        some.map(({ subjectId }) => subjectId),
      ).map((row) => [row.offerId, row]),
    )
    for (const line of some) lines.push(undoLine(line, rows.get(line.subjectId), limits))
    await setImmediate()
  }
  return {
    lines,
    summary: summaryOf(lines, false, guardPercent),
    fingerprint: fingerprintOf(lines),
  }
}

/** Reads at most `size` items in advance. */
function* chunksOf<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let chunk: Item[] = []
  for (const item of items) {
    chunk.push(item)
    if (chunk.length < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

function undoLine(
  { subjectId, name, platform, region, deliveryType, before, after }: StoredLine,
  row: OfferRow | undefined,
  limits: Parts['limits'],
): BulkLine {
  const about = { subjectId, name, platform, region, deliveryType }
  if (row === undefined || row.priceCents !== after.priceCents || row.status !== after.status) {
    const current = row === undefined ? after : currentState(row)
    return { ...about, verdict: 'left-out', note: null, before: current, after: current }
  }
  return {
    ...about,
    verdict: 'changes',
    note: noteBeyond(row.priceCents, before.priceCents, limits(row)),
    before: currentState(row),
    after: { ...before, stock: row.stock },
  }
}

const UNDO = 'Undo: '
const REDO = 'Redo: '

/** The title of the bulk change that undoes one with this title. */
export const reversedTitle = (title: string): string =>
  title.startsWith(UNDO)
    ? `${REDO}${title.slice(UNDO.length)}`
    : `${UNDO}${title.startsWith(REDO) ? title.slice(REDO.length) : title}`
