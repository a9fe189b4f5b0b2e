/**
 * The local starts of the last `days` days up to today, and of tomorrow. A day has 23 or 25 hours
 * when summer time begins or ends, so days aren't added as milliseconds.
 */
export function dayEdges(now: number, days: number): number[] {
  const today = new Date(now)
  return Array.from({ length: days + 1 }, (_, at) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - days + 1 + at).getTime(),
  )
}

/** The local start of the first of `days` days up to today. */
export const firstDay = (now: number, days: number): number => dayEdges(now, days)[0] ?? now
