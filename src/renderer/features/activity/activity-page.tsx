import { SegmentedControl, Select } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconDownload } from '@tabler/icons-react'
import { useDeferredValue, useRef, useState } from 'react'
import type { ActivityEntry } from '../../../contract/app/app.ts'
import { formatMessage, t } from '../../../contract/localization/localized.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api, rpc } from '../../lib/core/rpc.ts'
import { saveFile } from '../../lib/save-file.ts'
import { NoMatches } from '../../ui/feedback/no-matches.tsx'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { CopyMenu, useCopyOf } from '../../ui/controls/buttons/copy-menu.tsx'
import { CountTabs } from '../../ui/layout/count-tabs.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import {
  formatClockSeconds,
  formatCount,
  formatDay,
  formatMoment,
  formatUtc,
} from '../../ui/format.ts'
import { ModeBadge } from '../../ui/data-display/identity/mode-badge.tsx'
import { Mark } from '../../ui/data-display/identity/mark.tsx'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'
import { Bar, Page, PageHeader } from '../../ui/layout/page.tsx'
import { SearchField } from '../../ui/controls/fields/search-field.tsx'
import { ColumnMenu } from '../../ui/table/columns/column-menu.tsx'
import type { Column } from '../../ui/table/columns/columns.ts'
import { DataTable, type TableHandle } from '../../ui/table/data-table.tsx'
import { oneOf, useListSettings } from '../../ui/table/saved/list-settings.ts'
import { NameCell } from '../../ui/table/cells/name-cell.tsx'
import { usePagedRows } from '../../ui/table/rows/paged-rows.ts'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import styles from './activity.module.css'
import { ActivityPanel } from './activity-panel.tsx'
import { outcomeWords, sinceOf, spans } from './outcome.ts'

const views = ['all', 'failed', 'unknown'] as const
type View = (typeof views)[number]
const lookParts = {
  view: oneOf(views, 'all'),
  whose: oneOf(['this', 'all'], 'this'),
  span: oneOf(
    spans.map(({ id }) => id),
    'any',
  ),
}
type ActivityPageOf = {
  total: number
  rows: ActivityEntry[]
  views: Record<View, number>
  countedUpTo: number | null
}
const marks = { ok: 'ok', failed: 'bad', unknown: 'warn' } as const

const columns: readonly Column<ActivityEntry>[] = [
  {
    id: 'at',
    header: 'When',
    width: 130,
    hideable: false,
    cell: (entry) => (
      <time title={formatUtc(entry.at)}>
        {new Date(entry.at).toDateString() === new Date().toDateString()
          ? formatClockSeconds(entry.at)
          : formatMoment(entry.at, Date.now())}
      </time>
    ),
  },
  {
    id: 'what',
    header: 'Action',
    width: 300,
    minWidth: 200,
    grow: true,
    hideable: false,
    cell: (entry) => (
      <NameCell
        name={formatMessage(entry.what)}
        detail={entry.detail === null ? '' : formatMessage(entry.detail)}
      />
    ),
  },
  {
    id: 'outcome',
    header: 'Outcome',
    width: 150,
    cell: (entry) => (
      <span style={{ display: 'inline-flex', alignItems: 'center', gap: 7 }}>
        <Mark kind={marks[entry.outcome]} size={13} />
        {outcomeWords[entry.outcome]}
      </span>
    ),
  },
  {
    id: 'code',
    header: 'Code',
    width: 190,
    hideOrder: 2,
    cell: (entry) => (
      <span className="kd-mono">
        {[entry.code, entry.status].filter((part) => part !== null).join(' · ')}
      </span>
    ),
  },
  {
    id: 'request',
    header: 'Request',
    width: 190,
    hideOrder: 1,
    cell: (entry) => <span className="kd-mono">{entry.requestId}</span>,
  },
  {
    id: 'duration',
    header: 'Time (ms)',
    width: 84,
    align: 'end',
    hideOrder: 3,
    cell: (entry) => (entry.durationMs === null ? null : formatCount(Math.round(entry.durationMs))),
  },
]

/**
 * Every request and background job of this console with its outcome, and the ids to give to the
 * service's support.
 */
export function ActivityPage() {
  const account = useAccount()
  const [{ view, whose, span }, look] = useListSettings('activity', account.id, lookParts)
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState<ActivityEntry | null>(null)
  const [removedId, setRemovedId] = useState<string | null>(null)
  const removed = useQuery(api.activity.removedAccounts.queryOptions()).data ?? []
  const query = useDeferredValue(typed)
  const table = useRef<TableHandle>(null)
  const asked = {
    accountId: removedId ?? (whose === 'this' ? account.id : null),
    view,
    query,
    from: sinceOf(span, Date.now()),
  }
  const rows = usePagedRows<ActivityEntry, ActivityPageOf>(JSON.stringify(asked), (window) =>
    api.activity.list.queryOptions({ input: { ...asked, window } }),
  )
  const exports = useMutation(
    api.activity.export.mutationOptions({
      onSuccess: ({ fileName, base64, entries }) => {
        saveFile(fileName, base64)
        toast({ title: `${t('counts.entries', { count: entries })} exported`, text: fileName })
      },
      onError: (error) => toastProblem(problemOf(error)),
    }),
  )
  const copies = useCopyOf(async (form) => (await rpc.activity.export({ ...asked, form })).base64)
  useShortcut('E', () => exports.mutate(asked), { enabled: rows.total > 0 })
  const { page } = rows
  const isFiltered = query !== '' || view !== 'all' || span !== 'any'
  return (
    <Page
      panel={
        open === null ? undefined : (
          <ActivityPanel
            entry={open}
            onClose={() => {
              setOpen(null)
              table.current?.focus()
            }}
          />
        )
      }
    >
      <PageHeader
        title="Activity"
        beside={
          <CountTabs
            label="Views"
            value={view}
            onChange={(next) => look({ view: next })}
            tabs={[
              { id: 'all', label: 'All', count: page?.views.all ?? null },
              { id: 'failed', label: 'Failed', count: page?.views.failed ?? null },
              { id: 'unknown', label: 'No response yet', count: page?.views.unknown ?? null },
            ]}
          />
        }
        actions={
          <Button
            icon={<IconDownload size={16} stroke={1.6} />}
            keys={['E']}
            busy={exports.isPending}
            disabled={rows.total === 0}
            onClick={() => exports.mutate(asked)}
          >
            Export CSV
          </Button>
        }
      />
      <Bar
        label="Filters"
        end={
          <>
            <CopyMenu {...copies} />
            <ColumnMenu tableId="activity" columns={columns} />
          </>
        }
      >
        <SearchField
          label="Filter by word, code, request"
          width={280}
          value={typed}
          onChange={setTyped}
          list={table}
        />
        <SegmentedControl
          aria-label="Accounts"
          value={removedId === null ? whose : ''}
          data={[
            {
              value: 'this',
              label: (
                <span className={styles.whose}>
                  {account.name} <ModeBadge mode={account.mode} small />
                </span>
              ),
            },
            { value: 'all', label: 'All accounts' },
          ]}
          onChange={(value) => {
            setRemovedId(null)
            look({ whose: value === 'all' ? 'all' : 'this' })
          }}
        />
        {removed.length === 0 ? null : (
          <Select
            aria-label="Removed accounts"
            placeholder="Removed accounts"
            size="xs"
            w={230}
            clearable
            data={removed.map(({ accountId, name, mode, removedAt }) => ({
              value: accountId,
              label: `${name} ${mode.toUpperCase()}, removed ${formatDay(removedAt)}`,
            }))}
            value={removedId}
            onChange={setRemovedId}
          />
        )}
        <SegmentedControl
          aria-label="Time"
          value={span}
          data={spans.map(({ id, label }) => ({ value: id, label }))}
          onChange={(value) => look({ span: spans.find(({ id }) => id === value)?.id ?? 'any' })}
        />
        {page?.countedUpTo == null ? null : (
          <span style={{ fontSize: 12 }}>Newest {formatCount(page.countedUpTo)} matches only</span>
        )}
      </Bar>
      {rows.error !== null && page === undefined ? (
        <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
      ) : (
        <DataTable
          ref={table}
          autoFocus
          tableId="activity"
          label="Activity"
          columns={columns}
          total={rows.total}
          getRow={rows.getRow}
          rowKey={(entry) => entry.id}
          onRange={rows.onRange}
          loading={rows.loading}
          stale={rows.stale}
          openKey={open?.id ?? null}
          onOpen={setOpen}
          onClose={() => setOpen(null)}
          empty={
            isFiltered ? (
              <NoMatches query={query} onClear={() => setTyped('')} />
            ) : (
              <EmptyState
                title="No activity yet"
                text={
                  'Keydesk lists every request and background job here with its outcome. Entries ' +
                  'never contain secrets.'
                }
                columns={[90, 120, 60]}
              />
            )
          }
        />
      )}
    </Page>
  )
}
