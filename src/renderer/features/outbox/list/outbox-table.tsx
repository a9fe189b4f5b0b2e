import type { ReactNode, Ref } from 'react'
import type { Column } from '../../../ui/table/columns/columns.ts'
import { DataTable, type TableHandle } from '../../../ui/table/data-table.tsx'
import styles from '../outbox.module.css'
import { isGroupHeading, type OutboxRow, type OutboxTab } from './columns.tsx'
import type { useOutboxRows } from './use-outbox-rows.ts'

const keyOf = (line: OutboxRow): string =>
  isGroupHeading(line) ? `group-${line.group}` : line.entryId

/** The entries of a tab, in groups with headings. */
export function OutboxTable({
  ref,
  tab,
  list: { rows, total, getRow },
  columns,
  entryId,
  onOpen,
  onType,
  empty,
}: {
  ref: Ref<TableHandle>
  tab: OutboxTab
  list: ReturnType<typeof useOutboxRows>
  columns: readonly Column<OutboxRow>[]
  /** The open entry. */
  entryId: string | null
  onOpen: (entryId: string | null) => void
  /** A digit was typed on a row, or null for Enter. */
  onType: (digit: string | null) => void
  empty: ReactNode
}) {
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
      empty={empty}
    />
  )
}
