import type { DisputeRow } from '../../../contract/disputes/dispute-records.ts'
import { disputeViews } from '../../../contract/disputes/dispute-records.ts'
import { disputeGroups } from './list.ts'
import type { DisputeQuery, Listed } from './list.ts'

type Sort = DisputeQuery['sort']
const groupOf = ({ status, needsAnswer }: DisputeRow): number =>
  needsAnswer ? 0 : status === 'open' ? 1 : status !== 'resolved' ? 2 : 3

/** Compares numbers; unknown ones always sort last. */
const byNumber = (a: number | null, b: number | null, sign: 1 | -1): number =>
  a === b ? 0 : a === null ? 1 : b === null ? -1 : sign * (a - b)
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The order of the single lists: see `sortedBy` in list.ts. */
function compare({ column, direction }: Sort): (a: DisputeRow, b: DisputeRow) => number {
  const sign = direction === 'asc' ? 1 : -1
  const ties = (a: DisputeRow, b: DisputeRow): number =>
    byNumber(a.openedAt, b.openedAt, -1) || byText(a.disputeId, b.disputeId)
  switch (column) {
    case 'urgency':
      return (a, b) =>
        sign * (groupOf(a) - groupOf(b)) ||
        (sign === 1 && a.status === 'resolved'
          ? 0
          : byNumber(a.escalatesAt, b.escalatesAt, sign)) ||
        byNumber(a.lastMessageAt ?? a.updatedAt, b.lastMessageAt ?? b.updatedAt, -1) ||
        ties(a, b)
    case 'opened':
      return (a, b) => byNumber(a.openedAt, b.openedAt, sign) || byText(a.disputeId, b.disputeId)
    case 'updated':
      return (a, b) => byNumber(a.updatedAt, b.updatedAt, sign) || ties(a, b)
    case 'escalates':
      return (a, b) => byNumber(a.escalatesAt, b.escalatesAt, sign) || ties(a, b)
    case 'name':
      return (a, b) => sign * byText(a.name.toLowerCase(), b.name.toLowerCase()) || ties(a, b)
  }
}

/**
 * Merges the lists of several accounts. Each must contain its rows from the first to the end of the
 * window.
 */
export function mergeLists(
  lists: readonly Listed[],
  sort: Sort,
  offset: number,
  limit: number,
): Listed {
  const sum = (of: (list: Listed) => number): number =>
    lists.reduce((total, list) => total + of(list), 0)
  return {
    total: sum(({ total }) => total),
    rows: lists
      .flatMap(({ rows }) => rows)
      .toSorted(compare(sort))
      .slice(offset, offset + limit),
    views: Object.fromEntries(
      disputeViews.map((view) => [view, sum(({ views }) => views[view])]),
    ) as Listed['views'],
    unread: sum(({ unread }) => unread),
    groups: disputeGroups
      .map((group) => ({
        group,
        count: sum(({ groups }) => groups.find((each) => each.group === group)?.count ?? 0),
      }))
      .filter(({ count }) => count > 0),
  }
}
