import { useQuery } from '@tanstack/react-query'
import {
  useCallback,
  useContext,
  useDeferredValue,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useLocation } from 'wouter'
import {
  type DisputeFilter,
  disputeReasons,
  type DisputeRow,
  disputeViews,
} from '../../../contract/disputes/dispute-records.ts'
import { useIsOffline } from '../../lib/account/service-connection.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api, rpc } from '../../lib/core/rpc.ts'
import type { SearchedList } from '../../ui/controls/fields/search-field.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { HeaderNotice } from '../../ui/layout/page.tsx'
import { flag, oneOf, useListSettings, wordsOf } from '../../ui/table/saved/list-settings.ts'
import { usePagedRows } from '../../ui/table/rows/paged-rows.ts'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import { rowKey } from './inbox/row-key.ts'
import { DisputePane } from './pane/dispute-pane.tsx'
import type { PaneHandle } from './pane/pane-props.ts'
import { BulkDialogs } from './bulk/bulk-dialogs.tsx'
import { useDisputeSelection } from './bulk/use-dispute-selection.ts'
import { SendingBar } from './sending/sending-bar.tsx'
import styles from './disputes.module.css'
import { type DisputePage, Inbox } from './inbox/inbox.tsx'
import { useInboxNavigation } from './inbox/use-inbox-navigation.ts'
import { useInboxShortcuts } from './inbox/use-inbox-shortcuts.ts'

const lookParts = {
  view: oneOf(disputeViews, 'inbox'),
  unread: flag,
  reasons: wordsOf(disputeReasons),
  languages: wordsOf(),
  every: flag,
}
const fail =
  (record: string) =>
  (error: unknown): void => {
    toastProblem(problemOf(error), record)
  }

/** The filter, which is saved except for the search words, and the rows that match it. */
function useDisputeRows(accountId: string) {
  const [{ every, ...narrowed }, look] = useListSettings('disputes', accountId, lookParts)
  const [words, setWords] = useState('')
  const query = useDeferredValue(words.trim())
  const { view, unread, reasons, languages } = narrowed
  const asked = useMemo(
    () => ({ view, unread, reasons, languages, query, accountId, everyAccount: every }),
    [accountId, every, view, unread, reasons, languages, query],
  )
  const rows = usePagedRows<DisputeRow, DisputePage>(JSON.stringify(asked), (window) =>
    api.disputes.list.queryOptions({ input: { ...asked, window } }),
  )
  const filter: DisputeFilter = { ...narrowed, query: words }
  const setFilter = ({ query: typed, ...rest }: Partial<DisputeFilter>): void => {
    if (typed !== undefined) setWords(typed)
    if (Object.keys(rest).length > 0) look(rest)
  }
  return { every, toggleEvery: () => look({ every: !every }), filter, setFilter, asked, rows }
}

/** The dispute inbox: the list sorted by urgency and one open dispute, usable entirely by keyboard. */
export function DisputesPage({ disputeId }: { disputeId: string | null }) {
  const account = useAccount()
  const [, go] = useLocation()
  const { every, toggleEvery, filter, setFilter, asked, rows } = useDisputeRows(account.id)
  const [openAccount, setOpenAccount] = useState(account.id)
  const pane = useRef<PaneHandle>(null)
  const notice = useContext(HeaderNotice)
  const accounts = useQuery(api.accounts.list.queryOptions()).data ?? [account]
  const sellers = accounts.filter(({ role }) => role === 'seller')
  const paneAccount = sellers.find(({ id }) => id === (every ? openAccount : account.id)) ?? account
  const canSend = !useIsOffline(paneAccount)
  const open = disputeId === null ? null : { accountId: paneAccount.id, disputeId }
  const openKey = open === null ? null : rowKey(open)
  const followsFocus = useRef(false)
  const openAccountId = paneAccount.id
  const locate = useCallback(
    async () =>
      (
        await rpc.disputes.position({
          ...asked,
          of: { accountId: openAccountId, disputeId: disputeId ?? '' },
        })
      ).index,
    [asked, openAccountId, disputeId],
  )
  const navigation = useInboxNavigation({
    rows: {
      total: rows.total,
      getRow: rows.getRow,
      isLoaded: rows.page !== undefined && !rows.stale,
    },
    asked,
    openKey,
    onAccount: setOpenAccount,
    followsFocus,
    locate,
  })
  const list = useRef<SearchedList>(null)
  useImperativeHandle(list, () => ({
    focus: navigation.openFirst,
    openFirst: navigation.openFirst,
  }))
  const close = useCallback(() => go('/disputes'), [go])
  const done = (): void => {
    if (open === null) return
    const next = navigation.nextOrPrevious()
    const failed = fail(open.disputeId)
    void rpc.disputes.mark({ ...open, done: true }).then(
      () =>
        toast({
          title: 'Done',
          text: 'It comes back when something new is written.',
          undo: () => void rpc.disputes.mark({ ...open, done: false }).catch(failed),
        }),
      failed,
    )
    if (next === undefined) close()
    else navigation.open(next)
  }
  const unread = (): void => {
    if (open === null) return
    void rpc.disputes
      .mark({ ...open, unread: true })
      .then(() => toast({ title: 'Marked as unread' }), fail(open.disputeId))
    close()
  }
  const selection = useDisputeSelection(rows.list, rows.read)
  const selectBatch = (batchId: string): void =>
    void rpc.batches
      .batch({ accountId: openAccountId, batchId })
      .then(({ claims }) => {
        const unresolved = claims.filter(({ status }) => status !== 'resolved')
        const ids = new Set(unresolved.map((claim) => claim.disputeId))
        return selection.select(ids, openAccountId)
      })
      .catch(fail(`Batch ${batchId}`))
  const [dialog, setDialog] = useState<'reply' | 'results' | null>(null)
  useInboxShortcuts({
    opened: open !== null,
    pane,
    move: navigation.move,
    done,
    unread,
    close,
    select: {
      count: selection.rows.length,
      toggle: () => selection.toggle(rows.getRow(navigation.target)),
      extend(by) {
        // The first key press selects the row at the cursor, if nothing is open or selected.
        const isFirst = open === null && selection.rows.length === 0
        const from = navigation.target
        const to = from < 0 ? undefined : rows.getRow(from + (isFirst ? 0 : by))
        selection.add(rows.getRow(from), to)
        if (to === undefined) return
        followsFocus.current = true
        navigation.openAtItsPlace(to)
      },
      all: selection.addAll,
      clear: selection.clear,
      reply: () => setDialog('reply'),
    },
  })
  return (
    <div className={styles.page}>
      <Inbox
        account={account}
        filter={filter}
        onFilter={setFilter}
        every={sellers.length < 2 ? null : { on: every, toggle: toggleEvery }}
        rows={rows}
        openKey={openKey}
        cursor={navigation.cursor}
        accountName={(id) => {
          const owner = every ? accounts.find((each) => each.id === id) : undefined
          return owner === undefined ? null : `${owner.name} ${owner.mode.toUpperCase()}`
        }}
        onOpen={navigation.openAtItsPlace}
        list={list}
        followsFocus={followsFocus}
        selection={selection}
        onReply={() => setDialog('reply')}
        onResults={() => setDialog('results')}
      />
      <div className={styles.right}>
        {notice}
        {disputeId === null ? (
          <NoneOpen isEmpty={rows.page?.views.all === 0} />
        ) : (
          <DisputePane
            key={openKey}
            ref={pane}
            account={paneAccount}
            disputeId={disputeId}
            canSend={canSend}
            onActed={navigation.acted}
            onDone={done}
            onSelectBatch={selectBatch}
          />
        )}
        <SendingBar accountId={paneAccount.id} />
      </div>
      <BulkDialogs
        open={dialog}
        account={sellers.find(({ id }) => id === selection.rows[0]?.accountId) ?? paneAccount}
        selection={selection}
        onClose={() => setDialog(null)}
      />
    </div>
  )
}

function NoneOpen({ isEmpty }: { isEmpty: boolean }) {
  return isEmpty ? (
    <EmptyState
      title="No disputes yet"
      text="Disputes about your sales appear here, those that need an answer first."
    />
  ) : (
    <EmptyState
      title="Choose a dispute"
      text="Press J to open the first one, which has the least time left."
    />
  )
}
