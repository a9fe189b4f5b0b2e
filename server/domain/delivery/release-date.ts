import { DAY } from '../context.ts'

/**
 * When a product's units may be delivered: immediately, or from 00:00 UTC of its release date
 * (Decision 16).
 */
export function deliverableFrom(releaseDate: string | null, now: number): number {
  const release = releaseDate === null ? Number.NaN : Date.parse(releaseDate)
  return release > now ? release : now
}

/**
 * The deadline for delivery: immediately, or 24 hours after the release of a pre-launch product.
 */
export function deliveryDeadline(dueAt: number, now: number): number {
  return dueAt > now ? dueAt + DAY : dueAt
}
