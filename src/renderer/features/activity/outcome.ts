import type { ActivityEntry } from '../../../contract/app/app.ts'
import { HOUR_MS } from '../../../../server/api/time.ts'

export const outcomeWords: Record<ActivityEntry['outcome'], string> = {
  ok: 'Done',
  failed: 'Failed',
  unknown: 'Not confirmed',
}

export const spans = [
  { id: 'any', label: 'Any time', hours: null },
  { id: 'day', label: '24 h', hours: 24 },
  { id: 'week', label: '7 d', hours: 168 },
  { id: 'month', label: '30 d', hours: 720 },
] as const
export type Span = (typeof spans)[number]['id']

/**
 * The moment from which entries are shown; null for all. It changes only once per hour, so that the
 * list stays stable.
 */
export function sinceOf(span: Span, now: number): number | null {
  const hours = spans.find(({ id }) => id === span)?.hours ?? null
  return hours === null ? null : (Math.floor(now / HOUR_MS) - hours) * HOUR_MS
}
