import { t } from '../../../contract/localization/localized.ts'
import { formatFullMoment } from '../format.ts'

/**
 * Says which customer prices of a chart are calculated because they weren't recorded; null if
 * all prices since `from` were recorded. Points are ordered by time, and estimated ones come first.
 */
export function estimatedNote(
  points: readonly { at: number; isEstimated: boolean }[],
  from: number,
): string | null {
  const recorded = points.find(({ isEstimated }) => !isEstimated)
  const until = recorded?.at ?? Infinity
  if (!(points[0]?.isEstimated ?? false) || until <= from) return null
  return recorded === undefined
    ? t('screens.prices-all-estimated')
    : t('screens.prices-estimated', { until: formatFullMoment(until) })
}
