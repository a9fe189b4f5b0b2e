import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import {
  absCents,
  averageCents,
  subtractCents,
  sumCents,
  ZERO,
} from '../../../../../server/api/money.ts'
import type {
  BulkChange,
  BulkLine,
  BulkNote,
  BulkSummary,
  PlanMove,
} from '../../../../contract/offers/offer-bulk.ts'
import type { OfferFilter } from '../../../../contract/offers/offer-filter.ts'
import type { OfferRow } from '../../../../contract/offers/offers.ts'
import { idsOfOffers } from '../../list/list.ts'
import { readOffers } from '../../list/offer-rows.ts'
import { planOffer } from './rules.ts'
import type { PriceLimits } from './rules.ts'

/** Offers are planned in chunks, so that the core can serve other requests in between. */
const CHUNK_SIZE = 500

export type Selection = { offerIds: string[] } | { filter: OfferFilter }
export type Plan = { lines: BulkLine[]; summary: BulkSummary; fingerprint: string }

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
  return { lines, summary: { ...summary, withoutFloor }, fingerprint: fingerprintOf(lines) }
}

/** Whether the price guard stops a price: too large a change, or beyond a limit and moving away. */
function isOverGuard({ note, before, after }: BulkLine, percent: number): boolean {
  const isFar = (from: number, to: number): boolean =>
    percent > 0 && Math.abs(to - from) * 100 > percent * from
  if (after.priceCents === null) return false
  if (note === 'below-floor' || note === 'above-ceiling') {
    const falls = before.priceCents === null || after.priceCents < before.priceCents
    if (falls === (note === 'below-floor')) return true
  }
  if (before.priceCents !== null) return isFar(before.priceCents, after.priceCents)
  // A new offer has no price yet: it is compared with the shop's price.
  return (
    after.customerCents !== null &&
    after.aheadCents !== null &&
    isFar(after.customerCents + after.aheadCents, after.customerCents)
  )
}

/** Totals over all lines. */
export function summaryOf(
  lines: readonly BulkLine[],
  keysLeave: boolean,
  guardPercent = 0,
): BulkSummary {
  const changing = lines.filter((line) => line.verdict === 'changes')
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
    overGuard: changing.filter((line) => isOverGuard(line, guardPercent)).length,
    keys: keysLeave ? changing.reduce((sum, line) => sum + (line.before.stock ?? 0), 0) : 0,
  }
}

const changingLines = (lines: readonly BulkLine[]): BulkLine[] =>
  lines.filter((line) => line.verdict === 'changes')
const isSamePlan = (a: BulkLine, b: BulkLine): boolean =>
  a.before.priceCents === b.before.priceCents &&
  a.after.priceCents === b.after.priceCents &&
  a.after.status === b.after.status

/**
 * Identifies what a plan changes. The stock isn't part of it: a sale while the dialog is open
 * doesn't change the decision.
 */
export function fingerprintOf(lines: readonly BulkLine[]): string {
  const hash = createHash('sha256')
  for (const { subjectId, before, after } of changingLines(lines))
    hash.update(JSON.stringify([subjectId, before.priceCents, after.priceCents, after.status]))
  return hash.digest('base64url')
}

/** The lines that two plans change differently: those of `now` first, in their order. */
export function movesBetween(seen: readonly BulkLine[], now: readonly BulkLine[]): PlanMove[] {
  const before = new Map(changingLines(seen).map((line) => [line.subjectId, line]))
  const moves: PlanMove[] = []
  const add = (seenLine: BulkLine | undefined, nowLine: BulkLine | undefined): void => {
    const line = nowLine ?? seenLine
    if (line === undefined) return
    const { subjectId, name, platform, region, deliveryType } = line
    const prices = (each: BulkLine | undefined) =>
      each === undefined
        ? null
        : { fromCents: each.before.priceCents, toCents: each.after.priceCents }
    const about = { subjectId, name, platform, region, deliveryType }
    moves.push({ ...about, seen: prices(seenLine), now: prices(nowLine) })
  }
  for (const line of changingLines(now)) {
    const old = before.get(line.subjectId)
    before.delete(line.subjectId)
    if (old === undefined || !isSamePlan(old, line)) add(old, line)
  }
  for (const line of before.values()) add(line, undefined)
  return moves
}

/** Number of different plans of an account that are kept, to compare the current one with. */
const KEPT_PLANS = 3

/**
 * Caches the last plan of an account until the database changes, because the screen reads it window
 * by window, and keeps the plans before it, which a person may have seen.
 */
export function createPlanCache() {
  const kept = new Map<string, { key: string; writes: number; plan: Promise<Plan> }>()
  const shown = new Map<string, Map<string, Plan>>()
  function remember(accountId: string, plan: Plan): Plan {
    const plans = shown.get(accountId) ?? new Map<string, Plan>()
    shown.set(accountId, plans)
    plans.delete(plan.fingerprint)
    plans.set(plan.fingerprint, plan)
    const [oldest] = plans.keys()
    if (plans.size > KEPT_PLANS && oldest !== undefined) plans.delete(oldest)
    return plan
  }
  return {
    recall(accountId: string, db: Database, key: string, make: () => Promise<Plan>): Promise<Plan> {
      const writes = db.prepare('SELECT total_changes()').pluck().get() as number
      const found = kept.get(accountId)
      if (found?.key === key && found.writes === writes) return found.plan
      const plan = make().then((made) => remember(accountId, made))
      kept.set(accountId, { key, writes, plan })
      return plan
    },
    /** A plan that was made before; undefined if it is no longer kept. */
    find(accountId: string, fingerprint: string): Plan | undefined {
      const plan = shown.get(accountId)?.get(fingerprint)
      return plan === undefined ? undefined : remember(accountId, plan)
    },
    forget(accountId: string): void {
      kept.delete(accountId)
      shown.delete(accountId)
    },
  }
}
export type PlanCache = ReturnType<typeof createPlanCache>
