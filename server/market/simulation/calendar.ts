/** The week of the simulated shops, in UTC. */
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/**
 * Relative traffic of each hour: quiet before dawn, busiest in the evening. The values add up to
 * 24.
 */
const hours = [
  0.75, 0.5, 0.3, 0.25, 0.2, 0.25, 0.4, 0.6, 0.8, 0.95, 1.05, 1.1, 1.2, 1.15, 1.1, 1.15, 1.3, 1.5,
  1.7, 1.85, 1.9, 1.75, 1.35, 0.9,
]

export const hourOf = (at: number): number => Math.floor(at / HOUR) % 24

/** Saturday and Sunday. */
export function isWeekend(at: number): boolean {
  // 1 January 1970 was a Thursday.
  const day = (Math.floor(at / DAY) + 4) % 7
  return day === 0 || day === 6
}

/** The share of an average day's customers who come in the hour of `at`. */
export const shareOfDay = (at: number): number =>
  ((hours[hourOf(at)] ?? 1) / 24) * (isWeekend(at) ? 1.25 : 0.9)
