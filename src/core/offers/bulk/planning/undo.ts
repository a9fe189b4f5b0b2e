import type { Database } from 'better-sqlite3'
import type { BulkLine } from '../../../../contract/offers/offer-bulk.ts'
import type { OfferRow } from '../../../../contract/offers/offers.ts'
import { readOffers } from '../../list/offer-rows.ts'
import { currentState, noteBeyond } from './rules.ts'
import type { PriceLimits } from './rules.ts'
import type { StoredLine } from '../store.ts'

/**
 * Plans to restore the offers of a bulk change. An offer that changed since is left out.
 *
 * @param done The lines that were carried out.
 */
export function planUndo(
  db: Database,
  done: Iterable<StoredLine>,
  limits: (row: OfferRow) => PriceLimits,
): BulkLine[] {
  const lines: BulkLine[] = []
  for (const { subjectId, name, platform, region, deliveryType, before, after } of done) {
    const [row] = readOffers(db, [subjectId])
    if (row === undefined || row.priceCents !== after.priceCents || row.status !== after.status)
      continue
    const to = { ...before, stock: row.stock }
    lines.push({
      subjectId,
      name,
      platform,
      region,
      deliveryType,
      verdict: 'changes',
      note: noteBeyond(row.priceCents, before.priceCents, limits(row)),
      before: currentState(row),
      after: to,
    })
  }
  return lines
}

const UNDO = 'Undo: '
const REDO = 'Redo: '

/** The title of the bulk change that undoes one with this title. */
export const reversedTitle = (title: string): string =>
  title.startsWith(UNDO)
    ? `${REDO}${title.slice(UNDO.length)}`
    : `${UNDO}${title.startsWith(REDO) ? title.slice(REDO.length) : title}`
