/**
 * Values sent as text (queries, headers) and the formats that both documents share. Bad values are
 * issues and never clamped (Decision 9).
 */
import { z } from 'zod'

const single = z.string('must be given once')

/** An integer in a query: decimal digits, within inclusive bounds. */
export const integerText = (bounds: { min?: number; max?: number } = {}) =>
  z.codec(
    single.regex(/^-?\d{1,15}$/, { error: 'must be an integer', abort: true }),
    z
      .int()
      .min(bounds.min ?? Number.MIN_SAFE_INTEGER)
      .max(bounds.max ?? Number.MAX_SAFE_INTEGER),
    { decode: (text) => Number(text) + 0, encode: (value) => String(value) },
  )

/** A boolean in a query: `true` or `false`. */
export const booleanText = z.codec(
  single.regex(/^(true|false)$/, { error: 'must be true or false', abort: true }),
  z.boolean(),
  {
    decode: (text) => text === 'true',
    encode: (value) => String(value),
  },
)

/** One value of a closed list in a query or body. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, `must be one of: ${words.join(', ')}`)

const rfc3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/**
 * Converts an RFC 3339 date-time with any offset to UTC with milliseconds and `Z`; null when it is
 * invalid. Digits beyond the millisecond round up, so that "not before" and "before" still split
 * the stored milliseconds at the same point. A leap second becomes the next second.
 */
export function canonicalInstant(text: string): string | null {
  const match = rfc3339.exec(text)
  if (match === null) return null
  const [
    ,
    year,
    month,
    day,
    hour,
    minute,
    second,
    fraction = '',
    sign,
    offsetHour = '00',
    offsetMinute = '00',
  ] = match
  const n = (part: string | undefined) => Number(part)
  if (
    n(hour) > 23 ||
    n(minute) > 59 ||
    n(second) > 60 ||
    n(offsetHour) > 23 ||
    n(offsetMinute) > 59
  )
    return null
  const date = new Date(0)
  date.setUTCFullYear(n(year), n(month) - 1, n(day))
  if (date.getUTCMonth() !== n(month) - 1 || date.getUTCDate() !== n(day)) return null
  const beyond = /[1-9]/.test(fraction.slice(3)) ? 1 : 0
  const offset = (n(offsetHour) * 60 + n(offsetMinute)) * (sign === '-' ? -1 : 1)
  const millis = n(fraction.slice(0, 3).padEnd(3, '0')) + beyond
  const at = new Date(
    date.getTime() + ((n(hour) * 60 + n(minute) - offset) * 60 + n(second)) * 1000 + millis,
  )
  return at.getUTCFullYear() >= 0 && at.getUTCFullYear() <= 9999 ? at.toISOString() : null
}

/**
 * A date-time in a request: accepts any offset, gives canonical UTC text
 * (`2026-01-31T09:00:00.000Z`).
 */
export const instantInput = z.codec(
  single.refine((text) => canonicalInstant(text) !== null, {
    // An unescaped + in a query is a blank.
    error: ({ input }) =>
      canonicalInstant(String(input).replace(' ', '+')) === null
        ? 'must be an RFC 3339 date-time'
        : 'must be an RFC 3339 date-time; write the + of an offset as %2B',
    abort: true,
  }),
  z.string().meta({ format: 'date-time' }),
  { decode: (text) => canonicalInstant(text) ?? text, encode: (value) => value },
)

/** A date-time in a response: UTC with milliseconds and `Z` (Decision 9). */
export const instant = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'must be UTC with milliseconds and Z')
  .meta({ format: 'date-time' })

/** Text in a query or path. */
export const text = single

/** A calendar date in a response. */
export const calendarDate = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/, 'must be a date')
  .meta({ format: 'date' })

/** SHA-256 in lower-case hex. */
export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex')
