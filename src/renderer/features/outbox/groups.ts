import type { OutboxVerdict } from '../../../contract/outbox.ts'

export type GroupId = 'decide' | 'uncompared' | 'ready' | 'already'

/** The head of a group among the rows of what waits. */
export interface GroupHead {
  group: GroupId
  title: string
  detail: string
}

/** Where a line of the table is: a group's head, or the entry at a place of the core's list. */
export type Place = { head: GroupHead } | { row: number }

export interface Grouped {
  /** Lines of the table, heads included. */
  total: number
  at: (index: number) => Place | null
}

/**
 * The list's own order is that of its groups, so that where each begins follows from the counts.
 */
export function groupsOf(verdicts: Readonly<Record<OutboxVerdict, number>>): Grouped {
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
        detail: `${counts.ready}, the service says the same as when you changed ${counts.ready === 1 ? 'it' : 'them'}`,
      },
      {
        group: 'already',
        title: 'Nothing to send',
        detail: `${counts.already}, ${counts.already === 1 ? 'it is' : 'they are'} already so`,
      },
    ] satisfies GroupHead[]
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
