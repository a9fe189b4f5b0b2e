import type { InspectorEventDetail } from '../../contract/webhook-inspector.ts'

type Fields = NonNullable<InspectorEventDetail['compared']>['fields']
type Wire = Record<string, unknown>
const shown = (value: unknown): string =>
  value === null || value === undefined
    ? '–'
    : typeof value === 'number'
      ? value.toFixed(2)
      : String(value)
const isRecord = (value: unknown): value is Wire =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function delivered(items: unknown): string {
  if (!Array.isArray(items)) return '–'
  const sum = (name: string): number =>
    items
      .filter(isRecord)
      .reduce((total, item) => total + (typeof item[name] === 'number' ? item[name] : 0), 0)
  return `${sum('deliveredQty')} of ${sum('qty')} delivered`
}

/**
 * Differences that don't contradict an event: an order moves on from processing, and keys are
 * downloaded later.
 */
function isLater(field: string, then: Wire, now: Wire): boolean {
  if (field === 'firstDownloadedAt') return then[field] == null && now[field] != null
  return then['status'] === 'processing' && now['status'] !== 'processing'
}

/** Compares the event's order with the service's current order (both in wire format). */
export function compareOrders(then: Wire, now: Wire): Fields {
  const fields: [string, string, string][] = [
    ...['status', 'total', 'refunded', 'completedAt'].map((name): [string, string, string] => [
      name,
      shown(then[name]),
      shown(now[name]),
    ]),
    [
      'failure',
      shown(isRecord(then['failure']) ? then['failure']['code'] : null),
      shown(isRecord(now['failure']) ? now['failure']['code'] : null),
    ],
    ['firstDownloadedAt', shown(then['firstDownloadedAt']), shown(now['firstDownloadedAt'])],
    ['items', delivered(then['items']), delivered(now['items'])],
  ]
  return fields.map(([field, event, present]) => ({
    field,
    event,
    now: present,
    result: event === present ? 'same' : isLater(field, then, now) ? 'newer' : 'differs',
  }))
}
