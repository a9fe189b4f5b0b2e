import { t } from '../../../../contract/localization/localized.ts'
import { useMutation } from '@tanstack/react-query'
import { IconChartBar, IconListCheck } from '@tabler/icons-react'
import type { RefObject } from 'react'
import { useLocation } from 'wouter'
import type { Account } from '../../../../contract/app/accounts.ts'
import type {
  DisputeFilter,
  DisputeRow,
  DisputeView,
} from '../../../../contract/disputes/dispute-records.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { NoMatches } from '../../../ui/feedback/no-matches.tsx'
import { Button, IconButton } from '../../../ui/controls/buttons/button.tsx'
import { CountTabs } from '../../../ui/layout/count-tabs.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { KeyCap } from '../../../ui/controls/buttons/key-cap.tsx'
import { SearchField, type SearchedList } from '../../../ui/controls/fields/search-field.tsx'
import type { PagedRows } from '../../../ui/table/rows/paged-rows.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { SelectedBar } from '../bulk/selected-bar.tsx'
import { useBulkReplies } from '../bulk/use-bulk-replies.ts'
import type { DisputeSelection } from '../bulk/use-dispute-selection.ts'
import { DisputeList } from './dispute-list.tsx'
import styles from './inbox.module.css'
import { FilterMenu, type FilterMenuProps } from './filter-menu.tsx'
import type { Cursor } from './use-inbox-navigation.ts'

export type DisputePage = Awaited<ReturnType<typeof rpc.disputes.list>>

const TEST_DISPUTES = 8
const tabs: readonly { id: DisputeView; label: string }[] = [
  { id: 'inbox', label: 'Inbox' },
  { id: 'mine', label: 'Mine' },
  { id: 'snoozed', label: 'Snoozed' },
  { id: 'resolved', label: 'Resolved' },
]
/** Resolved disputes are never counted, and an empty view only if it is the inbox. */
const countOf = (id: DisputeView, counts: DisputePage['views'] | undefined) => {
  if (id === 'resolved') return {}
  const count = counts?.[id] ?? null
  return { count: count === 0 && id !== 'inbox' ? null : count }
}

/** Creates disputes about recent sales of a sandbox. */
function TestDisputes({ accountId }: { accountId: string }) {
  const create = useMutation({
    mutationFn: () => rpc.disputes.createTestDisputes({ accountId, claims: TEST_DISPUTES }),
    onSuccess: ({ claims }) =>
      toast(
        claims === 0
          ? {
              title: 'No test disputes created',
              text: 'No recent sale can still be disputed.',
            }
          : {
              title: t('screens.disputes-test-created', { count: claims }),
              text: 'The customers reply within a minute when you write to them.',
            },
      ),
    onError: (error) => toastProblem(problemOf(error), null),
  })
  return (
    <div className={styles.practise}>
      <Button kind="sandbox" wide busy={create.isPending} onClick={() => create.mutate()}>
        Create test disputes
      </Button>
    </div>
  )
}

const isNarrowed = ({ query, reasons, languages, unread }: DisputeFilter): boolean =>
  query.trim() !== '' || reasons.length + languages.length > 0 || unread

function NothingListed({ filter, onFilter }: Pick<InboxProps, 'filter' | 'onFilter'>) {
  if (isNarrowed(filter))
    return (
      <NoMatches
        query={filter.query.trim()}
        hint="The search covers products and IDs, not messages."
        onClear={() => onFilter({ query: '' })}
      />
    )
  return (
    <p className="kd-nothing">
      {filter.view === 'inbox' ? 'Nothing needs your attention.' : 'No disputes here.'}
    </p>
  )
}

export interface InboxProps {
  account: Account
  /** The accounts whose disputes are listed. */
  listed: readonly Account[]
  filter: DisputeFilter
  onFilter: (change: Partial<DisputeFilter>) => void
  every: FilterMenuProps['every']
  rows: PagedRows<DisputeRow, DisputePage>
  openKey: string | null
  cursor: Cursor
  accountName: (accountId: string) => string | null
  onOpen: (row: DisputeRow) => void
  /** The list as the search field uses it. */
  list: RefObject<SearchedList | null>
  /** See DisputeList. */
  followsFocus: RefObject<boolean>
  selection: DisputeSelection
  /** Answers the selected disputes together. */
  onReply: () => void
  /** Shows the results of bulk replies. */
  onResults: () => void
}

/** The left column: views, search and the list. */
export function Inbox(props: InboxProps) {
  const { account, filter, onFilter, every } = props
  const [, go] = useLocation()
  const counts = props.rows.page?.views
  return (
    <section className={styles.left} aria-label="Inbox">
      <header className={styles.leftHead}>
        <h1>Disputes</h1>
        <FilterMenu
          accountId={account.id}
          filter={filter}
          counts={counts}
          onChange={onFilter}
          every={every}
        />
        <BulkResultsButton accounts={props.listed} onResults={props.onResults} />
        <IconButton label="Report" onClick={() => go('/disputes/report')}>
          <IconChartBar size={16} stroke={1.6} />
        </IconButton>
      </header>
      <CountTabs
        label="Views"
        value={filter.view}
        onChange={(view) => onFilter({ view })}
        tabs={tabs.map((tab) => ({ ...tab, ...countOf(tab.id, counts) }))}
      />
      <div className={styles.search}>
        <SearchField
          label="Search product or ID"
          width={288}
          value={filter.query}
          onChange={(query) => onFilter({ query })}
          list={props.list}
        />
      </div>
      <Rows {...props} />
      <SelectedBar selection={props.selection} onReply={props.onReply} />
      {account.mode === 'sandbox' ? <TestDisputes accountId={account.id} /> : null}
      <footer className={styles.keys} aria-hidden>
        <KeyCap name="J" />
        <KeyCap name="K" /> move <KeyCap name="X" /> select <KeyCap name="R" /> reply{' '}
        <KeyCap name="E" /> done
      </footer>
    </section>
  )
}

/** Shown once there are results. */
export function BulkResultsButton({
  accounts,
  onResults,
}: {
  accounts: readonly Account[]
  onResults: () => void
}) {
  return useBulkReplies(accounts).length === 0 ? null : (
    <IconButton label="Bulk replies" onClick={onResults}>
      <IconListCheck size={16} stroke={1.6} />
    </IconButton>
  )
}

function Rows({
  rows,
  filter,
  onFilter,
  openKey,
  cursor,
  followsFocus,
  accountName,
  onOpen,
  selection,
}: InboxProps) {
  const { page } = rows
  if (rows.error !== null)
    return <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
  if (page === undefined) return <div className={styles.list} aria-busy />
  return (
    <DisputeList
      groups={page.groups}
      total={rows.total}
      getRow={rows.getRow}
      onRange={rows.onRange}
      openKey={openKey}
      cursor={cursor}
      accountName={accountName}
      onOpen={onOpen}
      empty={<NothingListed filter={filter} onFilter={onFilter} />}
      followsFocus={followsFocus}
      selection={selection}
    />
  )
}
