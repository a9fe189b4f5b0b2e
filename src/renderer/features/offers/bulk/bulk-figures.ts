import type { BulkChange, BulkSummary, PlanPage } from '../../../../contract/offers/offer-bulk.ts'
import { formatCents, formatCount } from '../../../ui/format.ts'
import { longDuration } from './bulk-texts.ts'

/** How long a change of many offers takes, before it starts; empty if it is short. */
export function durationFigure(page: PlanPage) {
  const duration = longDuration(page)
  return duration === null
    ? []
    : [
        {
          label: 'Takes about',
          value: duration,
          detail: `at ${formatCount(page.requestsPerMinute ?? 0)} requests a minute`,
        },
      ]
}

/** The totals of a bulk change before it starts. */
export function figuresOf(change: BulkChange, sum: BulkSummary) {
  const of = sum.changes + sum.stays + sum.leftOut
  const stays = { label: 'Unchanged', value: formatCount(sum.stays) }
  const leftOut =
    sum.leftOut === 0
      ? []
      : [{ label: 'Left out', value: formatCount(sum.leftOut), detail: 'see the lines' }]
  if (change.kind === 'withdraw' || change.kind === 'close')
    return [
      { label: 'Offers', value: formatCount(sum.changes) },
      { label: 'Keys to the vault', value: formatCount(sum.keys) },
      stays,
      ...leftOut,
    ]
  if (change.kind === 'status')
    return [{ label: 'Offers to change', value: formatCount(sum.changes) }, stays, ...leftOut]
  return [
    { label: 'Prices to change', value: formatCount(sum.changes) },
    {
      ...stays,
      ...((sum.notes['at-floor'] ?? 0) > 0 && {
        detail: `${formatCount(sum.notes['at-floor'] ?? 0)} at their floor`,
      }),
    },
    ...leftOut,
    {
      label: 'Certain to lead',
      value: formatCount(sum.leadingAfter),
      detail: `of ${formatCount(of)}, now ${formatCount(sum.leadingNow)}`,
    },
    {
      label: 'Average change',
      value: formatCents(sum.averageCents, { sign: true }),
      detail: 'EUR per key',
    },
    {
      label: 'Largest change',
      value: formatCents(sum.biggestCents, { sign: true }),
      detail: 'EUR',
    },
  ]
}
