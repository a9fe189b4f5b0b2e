import { cents, formatEuros } from '../../api/money.ts'
import type { StateDifference } from '../ports/snapshots.ts'

type Facts = NonNullable<StateDifference['after']>

const euros = (value: string | number): string => `EUR ${formatEuros(cents(Number(value)))}`
const plain = (value: string | number): string =>
  typeof value === 'number' ? value.toLocaleString('en') : value.replaceAll('_', ' ')

/** What each value is called, and how it is written. */
const labels: Readonly<Record<string, readonly [string, (value: string | number) => string]>> = {
  status: ['status', plain],
  resolution: ['resolution', plain],
  total: ['total', euros],
  refunded: ['refunded', euros],
  price: ['price', euros],
  balance: ['balance', euros],
  stock: ['units in stock', plain],
  reserved: ['units reserved', plain],
  sold: ['units sold', plain],
  messages: ['messages', plain],
  entries: ['entries', plain],
}

function written(name: string, value: string | number | null | undefined): string {
  const [, text] = labels[name] ?? [name, plain]
  return value === null || value === undefined ? 'none' : text(value)
}

const labelOf = (name: string): string => labels[name]?.[0] ?? name

/** The values that say something about a new thing. */
const listed = (facts: Facts): string =>
  Object.entries(facts)
    .filter(([, value]) => value !== null && value !== 0)
    .map(([name, value]) => `${labelOf(name)} ${written(name, value)}`)
    .join(', ')

/** A difference in one sentence. */
export function differenceText({ subject, before, after }: StateDifference): string {
  if (after === null) return `${subject} is gone.`
  if (before === null) {
    const facts = listed(after)
    return `${subject} is new${facts === '' ? '' : `: ${facts}`}.`
  }
  const changes = Object.keys(after)
    .filter((name) => before[name] !== after[name])
    .map((name) => {
      const [now, then] = [written(name, after[name]), written(name, before[name])]
      return `${labelOf(name)} ${now} instead of ${then}`
    })
  return `${subject}: ${changes.join(', ')}.`
}
