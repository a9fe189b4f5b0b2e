/** Where and how a process is to die. */
import type { CrashPoint } from '../../../server/domain/crash-points.ts'

/**
 * SIGKILL at the nth passing of a moment from now: there and then, or (`late`) by the parent, as
 * soon as it has heard of it.
 */
export type Strike = {
  readonly crashPoint: CrashPoint
  readonly nth: number
  readonly late: boolean
}

/**
 * Environment of the service's process: a strike from its very start, and a file for the counts of
 * a process that ends by itself.
 */
export const environment = { strike: 'KEYDESK_SOAK_STRIKE', counts: 'KEYDESK_SOAK_COUNTS' } as const

/** How often each moment was passed. */
export type Counts = Record<CrashPoint, number>
