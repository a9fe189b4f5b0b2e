import type { Clock, Ids, Log, MachineClock, Random } from './ports/environment.ts'
import type { Repositories } from './ports/repositories.ts'
import { DAY_MS } from '../api/time.ts'

/** The dependencies that every part of the service shares. */
export interface Context {
  readonly store: Repositories
  /** The service's clock. */
  readonly clock: Clock
  /** The clock that the service's adds its offset to. */
  readonly machine: MachineClock
  /** The computer's clock, for what others compare with their own. */
  readonly receiverClock: MachineClock
  readonly ids: Ids
  readonly random: Random
  readonly log: Log
}

export const DAY = DAY_MS

/** The date part of the days that were written, by the day's number. */
const dates = new Map<number, string>()
const MAX_DATES = 4096
const two = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'))

/**
 * Milliseconds as the specification writes times: UTC with milliseconds and `Z` (Decision 9).
 * Caches the date part, because `toISOString` takes several times as long as formatting the time of day.
 */
export function instantText(at: number): string {
  const day = Math.floor(at / DAY)
  let date = dates.get(day)
  // Stryker disable all: without the cache, the same text only takes longer
  if (date === undefined) {
    date = new Date(day * DAY).toISOString().slice(0, -'00:00:00.000Z'.length)
    if (dates.size >= MAX_DATES) dates.clear()
    dates.set(day, date)
  }
  // Stryker restore all
  const ms = Math.trunc(at - day * DAY)
  const seconds = Math.floor(ms / 1000)
  const [hour, minute] = [two[Math.floor(seconds / 3600)], two[Math.floor(seconds / 60) % 60]]
  const milliseconds = String(ms % 1000).padStart(3, '0')
  return `${date}${hour}:${minute}:${two[seconds % 60]}.${milliseconds}Z`
}

export const instantTextOrNull = (at: number | null): string | null =>
  at === null ? null : instantText(at)

/** Canonical date-time text as milliseconds. */
export const instantMs = (text: string): number => Date.parse(text)
