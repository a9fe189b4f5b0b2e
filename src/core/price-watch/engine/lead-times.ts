import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { inChunks } from '../in-chunks.ts'
import type { WatchState } from '../rules/facts.ts'
import { DAY_MS } from '../../../../server/api/time.ts'

type LeadChange = { offer_id: string; at: number; lead: WatchState['lead'] }

/**
 * How long offers led and were behind within a period, in milliseconds. Unknown, paused and empty
 * times count for neither.
 */
export type LeadTime = { leadingMs: number; behindMs: number }

/** Sums lead changes, given in order of time, over the periods between the edges. */
function createLeadTotals(edges: readonly number[]) {
  const counts = { leading: 0, behind: 0, none: 0, unknown: 0 }
  const present = new Map<string, WatchState['lead']>()
  const sums = edges.slice(1).map((): LeadTime => ({ leadingMs: 0, behindMs: 0 }))
  let period = 0
  let at = edges[0] ?? 0
  function pass(until: number): void {
    for (let sum = sums[period]; sum !== undefined && at < until; sum = sums[period]) {
      const edge = edges[period + 1] ?? until
      const to = Math.min(edge, until)
      sum.leadingMs += counts.leading * (to - at)
      sum.behindMs += counts.behind * (to - at)
      at = to
      if (at === edge) period += 1
    }
  }
  return {
    turn({ offer_id, at: turnedAt, lead }: LeadChange): void {
      pass(turnedAt)
      const before = present.get(offer_id)
      if (before !== undefined) counts[before] -= 1
      counts[lead] += 1
      present.set(offer_id, lead)
    },
    end(): LeadTime[] {
      pass(edges.at(-1) ?? 0)
      return sums
    },
  }
}

const LEAD_AT_START =
  'SELECT offer_id, at, lead FROM watch_leads WHERE offer_id = :offerId AND at <= :from ORDER BY at DESC LIMIT 1'

/**
 * Lead time of one offer in the periods between the edges, oldest first. Time before its first
 * recorded lead state counts for nothing.
 */
export function leadTimes(db: Database, edges: readonly number[], offerId: string): LeadTime[] {
  const [from = 0, to = 0] = [edges[0], edges.at(-1)]
  const sums = createLeadTotals(edges)
  const standing = db
    .prepare<{ offerId: string; from: number }, LeadChange>(LEAD_AT_START)
    .get({ offerId, from })
  if (standing !== undefined) sums.turn(standing)
  for (const turn of db
    .prepare<{ offerId: string; from: number; to: number }, LeadChange>(
      'SELECT offer_id, at, lead FROM watch_leads WHERE offer_id = :offerId AND at > :from AND at < :to ORDER BY at',
    )
    .all({ offerId, from, to }))
    sums.turn(turn)
  return sums.end()
}

const CHUNK_SIZE = 2000

/** Lead time of several offers together, in chunks: other work runs in between. */
export async function totalLeadTimes(
  db: Database,
  edges: readonly number[],
  offerIds: readonly string[],
): Promise<LeadTime[]> {
  const [from = 0, to = 0] = [edges[0], edges.at(-1)]
  const sums = createLeadTotals(edges)
  const standing = db.prepare<{ offerId: string; from: number }, LeadChange>(LEAD_AT_START)
  await inChunks(offerIds, CHUNK_SIZE, (offerId) => {
    const turn = standing.get({ offerId, from })
    if (turn !== undefined) sums.turn(turn)
  })
  const known = new Set(offerIds)
  const turns = db.prepare<{ at: number; offerId: string; to: number; limit: number }, LeadChange>(`
    SELECT offer_id, at, lead FROM watch_leads WHERE (at, offer_id) > (:at, :offerId) AND at < :to
      ORDER BY at, offer_id LIMIT :limit`)
  for (let last: LeadChange = { offer_id: '\u{10FFFF}', at: from, lead: 'none' }; ;) {
    await setImmediate()
    const some = turns.all({ at: last.at, offerId: last.offer_id, to, limit: CHUNK_SIZE })
    for (const turn of some) if (known.has(turn.offer_id)) sums.turn(turn)
    const end = some.at(-1)
    if (end === undefined || some.length < CHUNK_SIZE) return sums.end()
    last = end
  }
}

/** Share of the known time in which the lead was held, 0 to 1; null when nothing is known. */
export const shareOf = ({ leadingMs, behindMs }: LeadTime): number | null =>
  leadingMs + behindMs === 0 ? null : leadingMs / (leadingMs + behindMs)

/**
 * How often offers lost the lead since `from`. A pause, an empty stock or an unknown lead in between
 * doesn't hide a loss; the first state known of an offer is none.
 */
export const leadsLost = (db: Database, from: number): number =>
  db
    .prepare<{ from: number }, number>(
      `
  SELECT count(*) FROM watch_leads AS lost WHERE lost.at > :from AND lost.lead = 'behind'
    AND (SELECT lead FROM watch_leads AS before WHERE before.offer_id = lost.offer_id
      AND before.at < lost.at AND before.lead IN ('leading', 'behind')
      ORDER BY before.at DESC LIMIT 1) = 'leading'`,
    )
    .pluck()
    .get({ from }) ?? 0

/** Older lead changes are deleted, except the last of each offer. */
const KEEP_MS = 400 * DAY_MS

export const pruneLeads = (db: Database, now: number): void =>
  void db
    .prepare(
      `
  DELETE FROM watch_leads WHERE at < :before AND at < (SELECT max(at) FROM watch_leads AS later
    WHERE later.offer_id = watch_leads.offer_id)`,
    )
    .run({ before: now - KEEP_MS })
