import { DAY_MS } from '../../../../server/api/time.ts'
import { dayEdges } from '../../lib/days.ts'
import { formatDay } from '../../ui/format.ts'

/** Periods of the sales page. `day`: a bar is a day; `month`: a bar is a month. */
export const periods = [
  { id: '7', label: '7 d', days: 7 },
  { id: '30', label: '30 d', days: 30 },
  { id: '90', label: '90 d', days: 90 },
  { id: '365', label: 'Year', days: 365 },
  { id: 'all', label: 'All', days: null },
] as const
export type Period = (typeof periods)[number]['id']

export const periodWords: Record<Period, string> = {
  7: 'in 7 days',
  30: 'in 30 days',
  90: 'in 90 days',
  365: 'in a year',
  all: 'in 3 years',
}

/** Bars of the longest period: months. */
const MONTHS = 36

/**
 * The local moments at which days (months for the longest period) start, up to the start of
 * tomorrow (next month).
 */
export function edgesOf(period: Period, now: number): number[] {
  const today = new Date(now)
  const days = periods.find(({ id }) => id === period)?.days ?? null
  if (days !== null) return dayEdges(now, days)
  return Array.from({ length: MONTHS + 1 }, (_, at) =>
    new Date(today.getFullYear(), today.getMonth() - MONTHS + 1 + at, 1).getTime(),
  )
}

/** The bar that starts at `from`; null if none is chosen or the edges have no such bar. */
export function barAt(
  edges: readonly number[],
  from: number | null,
): { from: number; to: number } | null {
  if (from === null) return null
  const at = edges.indexOf(from)
  const to = edges[at + 1]
  return at === -1 || to === undefined ? null : { from, to }
}

const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' })

/** Names the bar that starts at `from`: a day, or a month in the longest period. */
export const barName = (period: Period, from: number): string =>
  period === 'all' ? month.format(from) : formatDay(from)

/** One day of the release calendar: a day of the service (UTC). */
export interface CalendarDay {
  date: string
  day: number
  past: boolean
  today: boolean
}

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/**
 * Complete weeks starting on Monday, from this week on: three, or as many as the last of `dates`
 * needs. Days are the service's (UTC).
 */
export function calendarOf(now: number, dates: readonly string[]): CalendarDay[] {
  const today = Math.floor(now / DAY_MS) * DAY_MS
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * DAY_MS
  const last = Math.max(
    today,
    ...dates.map((date) => Date.parse(date)).filter((at) => !Number.isNaN(at)),
  )
  const weeks = Math.min(6, Math.max(3, Math.ceil((last + DAY_MS - monday) / (7 * DAY_MS))))
  return Array.from({ length: weeks * 7 }, (_, at) => {
    const begins = monday + at * DAY_MS
    return {
      date: dateOf(begins),
      day: new Date(begins).getUTCDate(),
      past: begins < today,
      today: begins === today,
    }
  })
}
