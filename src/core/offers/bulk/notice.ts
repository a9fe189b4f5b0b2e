import type { Bulk } from '../../../contract/offer-bulk.ts'
import type { Notice } from '../../../contract/notices.ts'

const count = (value: number): string => value.toLocaleString('en')

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
      title: `${title}: ${count(counts.done)} done`,
      text: 'Each change was sent once.',
      path,
    }
  return {
    kind: 'offers-not-changed',
    title: `${title}: ${count(counts.refused)} of ${count(total)} failed`,
    text: 'Each failed line shows its reason. The other changes are done.',
    path,
  }
}
