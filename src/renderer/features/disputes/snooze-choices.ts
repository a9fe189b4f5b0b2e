import { HOUR_MS } from '../../../../server/api/time.ts'

/** A snooze shortly before the deadline leaves this much time to answer, in milliseconds. */
const BEFORE_ESCALATION_MS = 6 * HOUR_MS

/** An end of a snooze that can be chosen with a key. The key of a choice never changes. */
export type SnoozeChoice = { key: string; name: string; at: number }

/**
 * Choices for the end of a snooze, all later than `now`. `escalatesAt`: when the dispute escalates
 * unless it is answered; null if nothing is due.
 */
export function snoozeChoices(now: number, escalatesAt: number | null): SnoozeChoice[] {
  const morning = (days: number): number => {
    const day = new Date(now)
    day.setDate(day.getDate() + days)
    day.setHours(9, 0, 0, 0)
    return day.getTime()
  }
  const toMonday = (8 - new Date(now).getDay()) % 7 || 7
  const choices: SnoozeChoice[] = [
    { key: '1', name: 'For 1 hour', at: now + HOUR_MS },
    { key: '2', name: 'For 3 hours', at: now + 3 * HOUR_MS },
    { key: '3', name: 'Until tomorrow', at: morning(1) },
    ...(toMonday === 1 ? [] : [{ key: '4', name: 'Until Monday', at: morning(toMonday) }]),
    ...(escalatesAt === null
      ? []
      : [
          { key: '5', name: '6 hours before it escalates', at: escalatesAt - BEFORE_ESCALATION_MS },
        ]),
  ]
  return choices.filter(({ at }) => at > now)
}

/** Whether a snooze until `at` ends only after the dispute escalates. */
export const isTooLate = (at: number, escalatesAt: number | null): boolean =>
  escalatesAt !== null && at >= escalatesAt
