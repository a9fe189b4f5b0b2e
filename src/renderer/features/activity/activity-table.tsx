import type { RefObject } from 'react'
import type { ActivityEntry } from '../../../contract/app/app.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { NoMatches } from '../../ui/feedback/no-matches.tsx'
import { DataTable, type TableHandle } from '../../ui/table/data-table.tsx'
import { activityColumns } from './columns.tsx'
import type { Activity } from './use-activity.ts'

/** The matching entries, one of which can be open. */
export function ActivityTable({
  activity,
  table,
  open,
  onOpen,
}: {
  activity: Activity
  table: RefObject<TableHandle | null>
  open: ActivityEntry | null
  onOpen(entry: ActivityEntry | null): void
}) {
  const { rows } = activity
  if (rows.error !== null)
    return <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
  return (
    <DataTable
      ref={table}
      autoFocus
      tableId="activity"
      label="Activity"
      columns={activityColumns}
      total={rows.total}
      getRow={rows.getRow}
      rowKey={(entry) => entry.id}
      onRange={rows.onRange}
      loading={rows.loading}
      stale={rows.stale}
      openKey={open?.id ?? null}
      onOpen={onOpen}
      onClose={() => onOpen(null)}
      empty={
        activity.isFiltered ? (
          <NoMatches query={activity.query} onClear={() => activity.setTyped('')} />
        ) : (
          <EmptyState
            title="No activity yet"
            text={
              'Keydesk lists every request and background job here with its outcome. Entries ' +
              'never contain secrets.'
            }
            outline
          />
        )
      }
    />
  )
}
