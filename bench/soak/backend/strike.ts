/** Where and how a process is to die. */
import type { CrashPoint } from '../../../server/domain/crash-points.ts'

/**
 * SIGKILL at the nth occurrence of a crash point from now on: immediately, or (`late`) by the
 * parent, as soon as it is notified.
 */
export type Strike = {
  readonly crashPoint: CrashPoint
  readonly nth: number
  readonly late: boolean
}

/**
 * Environment of the service's process: a strike from its very start, and a file for the counts of
 * a process that exits on its own.
 */
export const environment = { strike: 'KEYDESK_SOAK_STRIKE', counts: 'KEYDESK_SOAK_COUNTS' } as const

/** How often each crash point was reached. */
export type Counts = Record<CrashPoint, number>
