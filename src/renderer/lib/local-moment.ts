import { formatFullMoment } from '../ui/format.ts'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** `22 Nov 2026, 14:30`, with a full month's name and without the comma too. */
const written = /^(\d{1,2})\.? ([a-z]{3,9})\.? (\d{4}),? (\d{1,2}):(\d{2})$/i
/** `2026-11-22 14:30`, as programs and the browser's own picker write it. */
const iso = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{1,2}):(\d{2})$/

/** The example that a date field shows. */
export const momentExample = '22 Nov 2026, 14:30'

/**
 * Parses a typed date and time in the person's time zone to milliseconds. Null when it is
 * incomplete, or isn't a real date.
 */
export function parseLocalMoment(text: string): number | null {
  const typed = text.trim().replaceAll(/\s+/g, ' ')
  const named = written.exec(typed)
  const [, year, month, day, hour, minute] =
    named === null
      ? (iso.exec(typed) ?? [])
      : ['', named[3], String(monthOf(named[2] ?? '')), named[1], named[4], named[5]]
  if (year === undefined) return null
  const parts = [Number(month) - 1, Number(day), Number(hour), Number(minute)] as const
  const date = new Date(0)
  date.setFullYear(Number(year), parts[0], parts[1])
  date.setHours(parts[2], parts[3], 0, 0)
  const real =
    date.getMonth() === parts[0] && date.getDate() === parts[1] && parts[2] < 24 && parts[3] < 60
  return real ? date.getTime() : null
}

/** 1 to 12; 0 for a text that is no month. */
function monthOf(name: string): number {
  const start = name.toLowerCase().slice(0, 3)
  const long = new Intl.DateTimeFormat('en-GB', { month: 'long' })
  const index = months.indexOf(start)
  const whole = index < 0 ? '' : long.format(new Date(2000, index, 1)).toLowerCase()
  return whole.startsWith(name.toLowerCase().replace(/^sept$/, 'sep')) ? index + 1 : 0
}

/** A moment as a date field shows it, to the minute. */
export const formatLocalMoment = (at: number): string => formatFullMoment(at)
