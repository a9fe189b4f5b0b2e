import { useDeferredValue, useMemo, useState } from 'react'
import type { OutboxEntry, OutboxVerdict } from '../../../../contract/outbox.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { api } from '../../../lib/core/rpc.ts'
import { usePagedRows } from '../../../ui/table/rows/paged-rows.ts'
import { isGroupHeading, type OutboxRow, type OutboxTab } from './columns.tsx'
import { groupsOf } from './groups.ts'

type Verdicts = Record<OutboxVerdict, number>
type OutboxPageOf = {
  total: number
  rows: OutboxEntry[]
  counts: Record<OutboxTab, number>
  verdicts: Verdicts
  comparedAt: number | null
}

const none: Verdicts = { uncompared: 0, ready: 0, decide: 0, already: 0, gone: 0 }

/** The chosen tab, its filter, and its rows with group headings where entries are queued. */
export function useOutboxList() {
  const { id: accountId } = useAccount()
  const [tab, setTab] = useState<OutboxTab>('waiting')
  const [typed, setTyped] = useState('')
  const query = useDeferredValue(typed)
  const rows = usePagedRows<OutboxEntry, OutboxPageOf>(
    JSON.stringify([accountId, tab, query]),
    (window) => api.outbox.list.queryOptions({ input: { accountId, tab, query, window } }),
    (entry) => entry.entryId,
  )
  const { page } = rows
  const verdicts = page?.verdicts ?? none
  const groups = useMemo(() => (tab === 'waiting' ? groupsOf(verdicts) : null), [tab, verdicts])
  return {
    tab,
    setTab,
    /** The text in the search field, and the one that the rows match. */
    typed,
    setTyped,
    query,
    rows,
    verdicts,
    waiting: page?.counts.waiting ?? 0,
    total: groups?.total ?? rows.total,
    getRow(index: number): OutboxRow | undefined {
      if (groups === null) return rows.getRow(index)
      const place = groups.at(index)
      return place === null ? undefined : 'head' in place ? place.head : rows.getRow(place.row)
    },
  }
}
export type OutboxList = ReturnType<typeof useOutboxList>

/** Finds entries among the loaded rows, skipping group headings. */
export function entryNavigation({ total, getRow }: Pick<OutboxList, 'total' | 'getRow'>) {
  const entryAt = (index: number): OutboxEntry | null => {
    const line = getRow(index)
    return line === undefined || isGroupHeading(line) ? null : line
  }
  const indexOf = (entryId: string): number =>
    Array.from({ length: total }, (_, index) => index).find(
      (index) => entryAt(index)?.entryId === entryId,
    ) ?? -1
  /** The entry before or after another one. */
  const neighborOf = (entryId: string, by: 1 | -1): OutboxEntry | null => {
    for (let index = indexOf(entryId) + by; index >= 0 && index < total; index += by) {
      const entry = entryAt(index)
      if (entry !== null) return entry
    }
    return null
  }
  return { neighborOf }
}
