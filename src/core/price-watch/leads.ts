import type { Database } from 'better-sqlite3'
import type { WatchState } from './rules/facts.ts'

type Turn = { offer_id: string; at: number; lead: WatchState['lead'] }

/** How long offers led and were behind within a period, in milliseconds; what is unknown, paused or empty counts for neither. */
export type LeadTime = { leadingMs: number; behindMs: number }

/**
 * Lead time of all offers (or of one) in periods between the edges, oldest first: from the turns that were seen. Before its first turn an offer counts for
 * nothing.
 */
export function leadTimes(db: Database, edges: readonly number[], offerId: string | null = null): LeadTime[] {
  const from = edges[0] ?? 0
  const to = edges.at(-1) ?? 0
  const own = offerId === null ? '' : 'AND offer_id = :offerId'
  const values = offerId === null ? { from, to } : { from, to, offerId }
  // SQLite gives the other columns of the row that has the maximum.
  const standing = db.prepare<Record<string, unknown>, Turn>(`SELECT offer_id, max(at) AS at, lead FROM watch_leads WHERE at <= :from AND at < :to ${own} GROUP BY offer_id`).all(values)
  const turns = db.prepare<Record<string, unknown>, Turn>(`SELECT offer_id, at, lead FROM watch_leads WHERE at > :from AND at < :to ${own} ORDER BY at`).all(values)
  const counts = { leading: 0, behind: 0, none: 0, unknown: 0 }
  const present = new Map<string, WatchState['lead']>()
  const turn = ({ offer_id, lead }: Turn): void => {
    const before = present.get(offer_id)
    if (before !== undefined) counts[before] -= 1
    counts[lead] += 1
    present.set(offer_id, lead)
  }
  standing.forEach(turn)
  let next = 0
  let at = from
  return edges.slice(1).map((edge) => {
    const sum: LeadTime = { leadingMs: 0, behindMs: 0 }
    const pass = (until: number): void => {
      sum.leadingMs += counts.leading * (until - at)
      sum.behindMs += counts.behind * (until - at)
      at = until
    }
    for (let entry = turns[next]; entry !== undefined && entry.at <= edge; entry = turns[++next]) {
      pass(entry.at)
      turn(entry)
    }
    pass(edge)
    return sum
  })
}

/** Part of the time with a known lead in which it was had, 0 to 1; null when nothing is known. */
export const shareOf = ({ leadingMs, behindMs }: LeadTime): number | null => (leadingMs + behindMs === 0 ? null : leadingMs / (leadingMs + behindMs))

/** Turns older than this go but for the last of each offer. */
const KEPT_MS = 400 * 86_400_000

export const thinLeads = (db: Database, now: number): void => void db.prepare(`
  DELETE FROM watch_leads WHERE at < :before AND at < (SELECT max(at) FROM watch_leads AS later WHERE later.offer_id = watch_leads.offer_id)`).run({ before: now - KEPT_MS })
