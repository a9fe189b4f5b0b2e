import type { Ref } from 'react'
import { useLocation } from 'wouter'
import { problemOf } from '../../../lib/core/problem.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { NoMatches } from '../../../ui/feedback/no-matches.tsx'
import type { Column } from '../../../ui/table/columns/columns.ts'
import { DataTable, type TargetTable } from '../../../ui/table/data-table.tsx'
import styles from '../outbox.module.css'
import { isGroupHeading, type OutboxRow } from './columns.tsx'
import { EmptyTab } from './empty-tab.tsx'
import type { OutboxList } from './use-outbox-list.ts'

const keyOf = (line: OutboxRow): string =>
  isGroupHeading(line) ? `group-${line.group}` : line.entryId

interface OutboxTableProps {
  ref: Ref<TargetTable<OutboxRow>>
  list: OutboxList
  columns: readonly Column<OutboxRow>[]
  /** The open entry. */
  entryId: string | null
  onOpen: (entryId: string | null) => void
  /** A digit was typed on a row, or null for Enter. */
  onType: (digit: string | null) => void
}

/** The entries of the tab, in groups with headings. */
export function OutboxTable(props: OutboxTableProps) {
  const { tab, query, rows, total } = props.list
  const [, go] = useLocation()
  if (rows.error !== null)
    return <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
  if (query === '' && total === 0 && !rows.loading)
    return <EmptyTab tab={tab} onOffers={() => go('/offers')} />
  return <EntryTable key={tab} {...props} />
}

function EntryTable({
  ref,
  list: { tab, query, setTyped, rows, total, getRow },
  columns,
  entryId,
  onOpen,
  onType,
}: OutboxTableProps) {
  return (
    <DataTable
      ref={ref}
      autoFocus
      tableId={`outbox-${tab}`}
      label="Queued changes"
      columns={columns}
      total={total}
      getRow={getRow}
      rowKey={keyOf}
      rowHeight={44}
      onRange={(first, last) => rows.onRange(Math.max(0, first - 4), last)}
      openKey={entryId}
      loading={rows.loading}
      stale={rows.stale}
      onOpen={(line) => {
        if (!isGroupHeading(line)) onOpen(line.entryId)
      }}
      onClose={() => onOpen(null)}
      onEdit={(_line, _index, digit) => onType(digit)}
      wholeRow={(line) =>
        isGroupHeading(line) ? (
          <div className={styles.head}>
            <b>{line.title}</b>
            {line.detail}
          </div>
        ) : null
      }
      isMuted={(line) =>
        !isGroupHeading(line) && line.state === 'waiting' && line.verdict === 'already'
      }
      empty={<NoMatches query={query} onClear={() => setTyped('')} />}
    />
  )
}
