import { t } from '../../../../contract/localization/localized.ts'
import type { OutboxVerdict } from '../../../../contract/outbox.ts'

export type GroupId = 'decide' | 'uncompared' | 'ready' | 'already'

/** The heading of a group among the rows of queued changes. */
export interface GroupHeading {
  group: GroupId
  title: string
  detail: string
}

/** The position of a table row: a group's heading, or the entry at an index of the core's list. */
export type RowPosition = { head: GroupHeading } | { row: number }

export interface GroupedRows {
  /** Number of table rows, headings included. */
  total: number
  at: (index: number) => RowPosition | null
}

/** The list is sorted by group, so the counts determine where each group starts. */
export function groupsOf(verdicts: Readonly<Record<OutboxVerdict, number>>): GroupedRows {
  const counts: Record<GroupId, number> = {
    decide: verdicts.decide + verdicts.gone,
    uncompared: verdicts.uncompared,
    ready: verdicts.ready,
    already: verdicts.already,
  }
  const heads = (
    [
      { group: 'decide', title: 'Needs your decision', detail: String(counts.decide) },
      { group: 'uncompared', title: 'Not compared yet', detail: String(counts.uncompared) },
      {
        group: 'ready',
        title: 'Ready to send',
        detail: t('screens.outbox-ready', { count: counts.ready }),
      },
      {
        group: 'already',
        title: 'Nothing to send',
        detail: `${counts.already}, already as you wanted`,
      },
    ] satisfies GroupHeading[]
  ).filter(({ group }) => counts[group] > 0)
  let line = 0
  let row = 0
  const spans = heads.map((head) => {
    const span = { head, line, row, count: counts[head.group] }
    line += span.count + 1
    row += span.count
    return span
  })
  return {
    total: line,
    at(index) {
      const span = spans.findLast((each) => each.line <= index)
      if (span === undefined || index >= line) return null
      return index === span.line ? { head: span.head } : { row: span.row + index - span.line - 1 }
    },
  }
}
