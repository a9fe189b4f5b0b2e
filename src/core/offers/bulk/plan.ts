import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import {
  absCents,
  averageCents,
  subtractCents,
  sumCents,
  ZERO,
} from '../../../../server/api/money.ts'
import type {
  BulkChange,
  BulkLine,
  BulkNote,
  BulkSummary,
} from '../../../contract/offers/offer-bulk.ts'
import type { OfferFilter } from '../../../contract/offers/offer-filter.ts'
import type { OfferRow } from '../../../contract/offers/offers.ts'
import { idsOfOffers, readOffers } from '../list/list.ts'
import { planOffer } from './rules.ts'
import type { PriceLimits } from './rules.ts'

/** Offers are planned in chunks, so that the core can serve other requests in between. */
const CHUNK_SIZE = 500

export type Selection = { offerIds: string[] } | { filter: OfferFilter }
export type Plan = { lines: BulkLine[]; summary: BulkSummary }

type Parts = {
  db: Database
  lowStock: number
  shown: (rows: OfferRow[]) => OfferRow[]
  limits: (row: OfferRow) => PriceLimits
  /** The price guard of the settings, in percent; 0 for none. */
  guardPercent: number
}

/** Plans a change for every selected offer, in the order of the selection. */
export async function planOffers(
  { db, lowStock, shown, limits, guardPercent }: Parts,
  chosen: Selection,
  change: BulkChange,
): Promise<Plan> {
  const offerIds =
    'filter' in chosen
      ? await idsOfOffers(db, {
          ...chosen.filter,
          sort: { column: 'name', direction: 'asc' },
          lowStock,
          now: 0,
        })
      : chosen.offerIds
  const lines: BulkLine[] = []
  let withoutFloor = 0
  for (let from = 0; from < offerIds.length; from += CHUNK_SIZE) {
    for (const row of shown(readOffers(db, offerIds.slice(from, from + CHUNK_SIZE)))) {
      const limit = limits(row)
      const line = planOffer(row, change, limit)
      lines.push(line)
      if (change.kind === 'price' && line.verdict === 'changes' && limit.floorCents === null)
        withoutFloor += 1
    }
    await setImmediate()
  }
  const summary = summaryOf(
    lines,
    change.kind === 'withdraw' || change.kind === 'close',
    guardPercent,
  )
  return { lines, summary: { ...summary, withoutFloor } }
}

/** Totals over all lines. */
export function summaryOf(
  lines: readonly BulkLine[],
  keysLeave: boolean,
  guardPercent = 0,
): BulkSummary {
  const changing = lines.filter((line) => line.verdict === 'changes')
  const isOverGuard = ({
    before: { priceCents: from },
    after: { priceCents: to },
  }: BulkLine): boolean =>
    from !== null &&
    to !== null &&
    guardPercent > 0 &&
    Math.abs(to - from) * 100 > guardPercent * from
  const moves = changing.flatMap(({ before, after }) =>
    before.priceCents === null ||
    after.priceCents === null ||
    before.priceCents === after.priceCents
      ? []
      : [subtractCents(after.priceCents, before.priceCents)],
  )
  const notes: Partial<Record<BulkNote, number>> = {}
  for (const { note } of lines) if (note !== null) notes[note] = (notes[note] ?? 0) + 1
  const total = sumCents(moves)
  return {
    changes: changing.length,
    stays: lines.filter((line) => line.verdict === 'stays').length,
    leftOut: lines.filter((line) => line.verdict === 'left-out').length,
    notes,
    leadingNow: lines.filter((line) => line.before.leads === true).length,
    leadingAfter: lines.filter((line) => line.after.leads === true).length,
    averageCents: moves.length === 0 ? ZERO : averageCents(total, moves.length),
    biggestCents: moves.reduce(
      (biggest, move) => (absCents(move) > absCents(biggest) ? move : biggest),
      ZERO,
    ),
    withoutFloor: 0,
    overGuard: changing.filter(isOverGuard).length,
    keys: keysLeave ? changing.reduce((sum, line) => sum + (line.before.stock ?? 0), 0) : 0,
  }
}

/**
 * Caches the last plan of an account until the database changes, because the screen reads it window
 * by window.
 */
export function createPlanCache() {
  const kept = new Map<string, { key: string; writes: number; plan: Promise<Plan> }>()
  return {
    recall(accountId: string, db: Database, key: string, make: () => Promise<Plan>): Promise<Plan> {
      const writes = db.prepare('SELECT total_changes()').pluck().get() as number
      const found = kept.get(accountId)
      if (found?.key === key && found.writes === writes) return found.plan
      const plan = make()
      kept.set(accountId, { key, writes, plan })
      return plan
    },
    forget: (accountId: string): void => void kept.delete(accountId),
  }
}
