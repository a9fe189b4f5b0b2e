import { useQuery } from '@tanstack/react-query'
import { IconTimeline } from '@tabler/icons-react'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import type { ActivityEntry } from '../../../contract/app.ts'
import { useAccount } from '../../lib/current-account.ts'
import { problemOf } from '../../lib/problem.ts'
import { api } from '../../lib/rpc.ts'
import { CountTabs } from '../../ui/count-tabs.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { formatClockSeconds, formatCount, formatMoment, formatUtc } from '../../ui/format.ts'
import { Mark } from '../../ui/mark.tsx'
import { Bar, Page, PageHeader } from '../../ui/page.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { ColumnMenu } from '../../ui/table/column-menu.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable, type TableHandle } from '../../ui/table/data-table.tsx'
import { NameCell } from '../../ui/table/name-cell.tsx'
import { ActivityPanel } from './activity-panel.tsx'
import { outcomeWords, saysWords, type View, viewOf } from './outcome.ts'

const latest = 500
const marks = { ok: 'ok', failed: 'bad', unknown: 'warn' } as const

const columns: readonly Column<ActivityEntry>[] = [
  { id: 'at', header: 'When', width: 130, hideable: false, cell: (entry) => <time title={formatUtc(entry.at)}>{new Date(entry.at).toDateString() === new Date().toDateString() ? formatClockSeconds(entry.at) : formatMoment(entry.at, Date.now())}</time> },
  { id: 'what', header: 'What', width: 300, minWidth: 200, grow: true, hideable: false, cell: (entry) => <NameCell name={entry.what} detail={entry.detail} /> },
  { id: 'outcome', header: 'Outcome', width: 150, cell: (entry) => <span style={{ display: 'inline-flex', alignItems: 'center', gap: 7 }}><Mark kind={marks[entry.outcome]} size={13} />{outcomeWords[entry.outcome]}</span> },
  { id: 'code', header: 'Code', width: 190, leaves: 2, cell: (entry) => <span className="kd-mono">{[entry.code, entry.status].filter((part) => part !== null).join(' · ')}</span> },
  { id: 'request', header: 'Request', width: 190, leaves: 1, cell: (entry) => <span className="kd-mono">{entry.requestId}</span> },
  { id: 'duration', header: 'Took ms', width: 84, align: 'end', leaves: 3, cell: (entry) => (entry.durationMs === null ? null : formatCount(Math.round(entry.durationMs))) },
]

/** What this console did for the account: every request that matters and every job, how it ended, and the ids to ask the service's support with. */
export function ActivityPage() {
  const account = useAccount()
  const [view, setView] = useState<View>('all')
  const [typed, setTyped] = useState('')
  const [openId, setOpenId] = useState<string | null>(null)
  const words = useDeferredValue(typed)
  const table = useRef<TableHandle>(null)
  const activity = useQuery(api.app.activity.queryOptions({ input: { accountId: account.id, limit: latest } }))
  const all = useMemo(() => activity.data ?? [], [activity.data])
  const said = useMemo(() => all.filter((entry) => saysWords(entry, words)), [all, words])
  const rows = useMemo(() => said.filter((entry) => view === 'all' || viewOf(entry) === view), [said, view])
  const open = rows.find((entry) => entry.id === openId)
  const countOf = (each: View): number => (each === 'all' ? said.length : said.filter((entry) => viewOf(entry) === each).length)
  return (
    <Page panel={open === undefined ? undefined : <ActivityPanel entry={open} onClose={() => { setOpenId(null); table.current?.focus() }} />}>
      <PageHeader title="Activity" beside={<CountTabs label="Views" value={view} onChange={setView} tabs={[{ id: 'all', label: 'All', count: countOf('all') }, { id: 'failed', label: 'Failed', count: countOf('failed') }, { id: 'unknown', label: 'No answer yet', count: countOf('unknown') }]} />} />
      <Bar label="Filters" end={<ColumnMenu tableId="activity" columns={columns} />}>
        <SearchField label="Filter by word, code, request" width={280} value={typed} onChange={setTyped} onDown={() => table.current?.focus()} />
      </Bar>
      {activity.isError ? <ErrorState problem={problemOf(activity.error)} onRetry={() => { void activity.refetch() }} /> : (
        <DataTable
          ref={table} tableId="activity" label="Activity" columns={columns} total={rows.length} getRow={(index) => rows[index]} rowKey={(entry) => entry.id} loading={activity.isPending}
          openKey={openId} onOpen={(entry) => setOpenId(entry.id)} onClose={() => setOpenId(null)}
          empty={all.length === 0
            ? <EmptyState title="Nothing was done yet" text="Every request and job of this console is written here, with how it ended. Secrets never are." columns={[90, 120, 60]} />
            : <EmptyState title="Nothing fits" text={<><IconTimeline size={14} stroke={1.6} aria-hidden /> No entry of the latest {formatCount(latest)} says “{words}” in this view.</>} />}
        />
      )}
    </Page>
  )
}
