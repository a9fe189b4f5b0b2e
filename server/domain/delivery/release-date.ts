import { DAY } from '../context.ts'

/**
 * When a product's units may be delivered: at once, or from its release date on, 00:00 UTC
 * (Decision 16).
 */
export function deliverableFrom(releaseDate: string | null, now: number): number {
  const release = releaseDate === null ? Number.NaN : Date.parse(releaseDate)
  return release > now ? release : now
}

/**
 * Until when delivery is tried: at once or never, and for a pre-launch product 24 hours from its
 * release.
 */
export function deliveryDeadline(dueAt: number, now: number): number {
  return dueAt > now ? dueAt + DAY : dueAt
}
