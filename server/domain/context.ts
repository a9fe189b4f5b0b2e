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

/** Milliseconds as the specification writes times: UTC with milliseconds and `Z` (Decision 9). */
export const instantText = (at: number): string => new Date(at).toISOString()

export const instantTextOrNull = (at: number | null): string | null =>
  at === null ? null : instantText(at)

/** Canonical date-time text as milliseconds. */
export const instantMs = (text: string): number => Date.parse(text)

export const DAY = DAY_MS
