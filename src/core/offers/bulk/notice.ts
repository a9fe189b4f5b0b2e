import type { Bulk } from '../../../contract/offers/offer-bulk.ts'
import type { Notice } from '../../../contract/app/notices.ts'
import { localized } from '../../../contract/localization/localized.ts'

/** The notification about a finished bulk change. */
export function bulkNotice({
  bulkId,
  title,
  counts,
}: Bulk): Pick<Notice, 'kind' | 'title' | 'text' | 'path'> {
  const total = Object.values(counts).reduce((sum, each) => sum + each, 0)
  const path = `/offers?changes=${bulkId}`
  if (counts.refused === 0)
    return {
      kind: 'offers-changed',
      title: localized('offers.bulk-done', { title, done: counts.done }),
      text:
        counts.skipped === 0
          ? localized('offers.bulk-done-once')
          : localized('offers.bulk-skipped', { skipped: counts.skipped }),
      path,
    }
  return {
    kind: 'offers-not-changed',
    title: localized('offers.bulk-failed', { title, failed: counts.refused, total }),
    text: localized('offers.bulk-failed-lines'),
    path,
  }
}
