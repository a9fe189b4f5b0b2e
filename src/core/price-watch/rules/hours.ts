import type { PriceRule } from '../../../contract/price-watch/price-rules.ts'

const formats = new Map<string, Intl.DateTimeFormat>()
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (format === undefined)
    formats.set(
      zone,
      (format = new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        weekday: 'short',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      })),
    )
  return format
}

/** Whether this computer knows a time zone of this name. */
export function isZone(zone: string): boolean {
  try {
    formatOf(zone)
    return true
  } catch {
    return false
  }
}

/**
 * Whether a rule is active at this moment, in local time of its zone. Hours over midnight belong to
 * the day on which they start.
 */
export function isWithin(
  { days: chosen, from, to, zone }: PriceRule['hours'],
  now: number,
): boolean {
  if (from === to && chosen.length === 7) return true
  const parts = new Map(
    formatOf(zone)
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  )
  const today = days.findIndex((day) => day === parts.get('weekday'))
  const minute = Number(parts.get('hour')) * 60 + Number(parts.get('minute'))
  if (from > to)
    return (
      (chosen.includes(today) && minute >= from) ||
      (chosen.includes((today + 6) % 7) && minute < to)
    )
  return chosen.includes(today) && (from === to || (minute >= from && minute < to))
}
