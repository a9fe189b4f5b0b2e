import { type Cents, formatEuros, fromCents, parseEuros } from '../../../server/api/money.ts'
import { t } from '../../contract/localization/localized.ts'

const minus = '−'
const counts = new Intl.NumberFormat('en-GB')

/**
 * Formats integer cents of EUR: `128460` → `1,284.60`, negative with a true minus. `sign` puts a
 * plus before positive amounts.
 */
export function formatCents(cents: Cents, options: { sign?: boolean } = {}): string {
  const text = formatEuros(cents).replace('-', minus)
  return options.sign === true && cents > 0 ? `+${text}` : text
}

/** `EUR 34.54`, for sentences and buttons. */
export function formatEur(cents: Cents): string {
  return `EUR ${formatCents(cents)}`
}

/** Whole euros, rounded to the nearest, for axes and calendars. */
export const formatWholeEuros = (cents: Cents): string => formatCount(Math.round(fromCents(cents)))

const wrongPrice = {
  empty: 'Enter a price',
  format: 'Use digits and one decimal point',
  decimals: 'At most two decimals',
  'too-large': 'Too large',
} as const

/** Parses a typed price: `12.4`, `12,40`, `1,284.60`. Returns an error text if it isn't one. */
export function parseCents(text: string): { cents: Cents } | { wrong: string } {
  const parsed = parseEuros(text)
  if (!parsed.ok) return { wrong: wrongPrice[parsed.reason] }
  return parsed.cents < 0 ? { wrong: wrongPrice.format } : { cents: parsed.cents }
}

/** Formats counts in full: `12,048`, never `12k`. */
export function formatCount(count: number): string {
  return counts.format(count).replace('-', minus)
}

/** Formats stock from the catalogue: capped at 99, null means unknown. */
export function formatStock(qty: number | null): string {
  if (qty === null) return 'unknown'
  return qty >= 99 ? '99+' : formatCount(qty)
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** From this duration on, hours don't matter. */
const longDuration = 10 * day

/**
 * Formats a span of milliseconds in at most two units, rounded down: `34 s`, `4 min`, `5 h 12 m`,
 * `6 h`, `2 d 20 h`, `7 days`, and from ten days on in days only.
 */
export function formatDuration(ms: number): string {
  const left = Math.max(0, ms)
  if (left < minute) return `${Math.floor(left / second)} s`
  if (left < hour) return `${Math.floor(left / minute)} min`
  const hours = Math.floor(left / hour)
  if (left < day) {
    const minutes = Math.floor((left % hour) / minute)
    return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} m`
  }
  const days = Math.floor(left / day)
  const restOfDay = hours % 24
  return left >= longDuration || restOfDay === 0
    ? t('counts.days', { count: days })
    : `${days} d ${restOfDay} h`
}

const tenSeconds = 10 * second

/**
 * Formats the estimated rest of a job, rounded up: `34 s`, `2 min 50 s`, `12 min`, `5 h 12 m`. Under
 * ten minutes, whole minutes would be wrong by up to half of the time left.
 */
export function formatTimeLeft(ms: number): string {
  const left = Math.max(0, ms)
  if (left <= minute - second) return `${Math.ceil(left / second)} s`
  if (left > 10 * minute) return formatDuration(Math.ceil(left / minute) * minute)
  const rounded = Math.ceil(left / tenSeconds) * tenSeconds
  const seconds = (rounded % minute) / second
  const minutes = `${Math.floor(rounded / minute)} min`
  return seconds === 0 ? minutes : `${minutes} ${seconds} s`
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const clockSeconds = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
/** British English abbreviates September to four letters and every other month to three. */
const shortMonth = (text: string): string => text.replace('Sept', 'Sep')

const fullDay = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})

/** `15:32`, in the person's time zone. */
export const formatClock = (at: number): string => clock.format(at)

/** `15:32:08`, in the person's time zone. */
export const formatClockSeconds = (at: number): string => clockSeconds.format(at)

/** `today, 20:44` or `19 Nov, 14:57`; with the year if it isn't the year of `now`. */
export function formatMoment(at: number, now: number): string {
  const date = new Date(at)
  const today = new Date(now)
  if (date.toDateString() === today.toDateString()) return `today, ${clock.format(at)}`
  const dayText = date.getFullYear() === today.getFullYear() ? formatDayOfYear(at) : formatDay(at)
  return `${dayText}, ${clock.format(at)}`
}

/** `19 Nov 2026, 14:57`. */
export const formatFullMoment = (at: number): string => `${formatDay(at)}, ${clock.format(at)}`

/** `19 Nov 2026`. */
export const formatDay = (at: number): string => shortMonth(fullDay.format(at))

/** `19 Nov`, where the year is obvious. */
export const formatDayOfYear = (at: number): string => shortMonth(dayOfYear.format(at))

const serviceDay = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const fullServiceDay = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** `19 Nov`: a day of the service (UTC), the same in every time zone. */
export const formatServiceDay = (at: number): string => shortMonth(serviceDay.format(at))

/** `19 Nov 2026`: a day of the service (UTC). */
export const formatFullServiceDay = (at: number): string => shortMonth(fullServiceDay.format(at))

/** UTC in ISO form, shown as the tooltip of local times. */
export const formatUtc = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** `UTC+1`, `UTC−3:30`: the person's time zone at a moment. */
export function formatZone(at: number): string {
  const offset = -new Date(at).getTimezoneOffset()
  if (offset === 0) return 'UTC'
  const minutes = Math.abs(offset) % 60
  const hours = Math.floor(Math.abs(offset) / 60)
  const rest = minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`
  return `UTC${offset > 0 ? '+' : minus}${hours}${rest}`
}

/** Formats bytes: `41 KB`, `12.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
