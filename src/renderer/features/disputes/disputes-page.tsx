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
import { productLine } from '../../lib/labels/product-labels.ts'
import type { SearchedList } from '../../ui/controls/fields/search-field.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { HeaderNotice } from '../../ui/layout/page.tsx'
import { flag, oneOf, useListSettings, wordsOf } from '../../ui/table/saved/list-settings.ts'
import { rowsPerRequest, usePagedRows } from '../../ui/table/rows/paged-rows.ts'
import { readWindows } from '../../ui/table/rows/read-windows.ts'
import { succeeds } from '../../ui/feedback/succeeds.ts'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import { rowKey } from './inbox/row-key.ts'
import { doneToast } from './words.ts'
import { DisputePane } from './pane/dispute-pane.tsx'
import type { PaneHandle } from './pane/pane-props.ts'
import { BulkDialogs } from './bulk/bulk-dialogs.tsx'
import { type DisputeSelection, useDisputeSelection } from './bulk/use-dispute-selection.ts'
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
  const rows = usePagedRows<DisputeRow, DisputePage>(
    JSON.stringify(asked),
    (window) => api.disputes.list.queryOptions({ input: { ...asked, window } }),
    rowKey,
  )
  const filter: DisputeFilter = { ...narrowed, query: words }
  const setFilter = ({ query: typed, ...rest }: Partial<DisputeFilter>): void => {
    if (typed !== undefined) setWords(typed)
    if (Object.keys(rest).length > 0) look(rest)
  }
  return {
    every,
    toggleEvery: () => look({ every: !every }),
    filter,
    setFilter,
    asked,
    /** Shows the list with this filter again. */
    show(): void {
      look({ every, ...narrowed })
      setWords(query)
    },
    rows,
    /** See {@link ReadDisputes}. */
    read: (most: number, only: string | null): Promise<DisputeRow[]> =>
      only === null
        ? rows.read(most)
        : readWindows(
            (window) =>
              rpc.disputes.list({ ...asked, accountId: only, everyAccount: false, window }),
            { keyOf: rowKey, size: rowsPerRequest, most },
          ),
  }
}

/** The accounts whose disputes the list can show, and the account of the open dispute. */
function useSellers(every: boolean) {
  const account = useAccount()
  const [openAccountId, setOpenAccountId] = useState(account.id)
  const accounts = useQuery(api.accounts.list.queryOptions()).data ?? [account]
  const sellers = accounts.filter(({ role }) => role === 'seller')
  return {
    sellers,
    /** The accounts whose disputes the list shows. */
    listed: every ? sellers : [account],
    ofDispute: sellers.find(({ id }) => id === (every ? openAccountId : account.id)) ?? account,
    chooseAccount: setOpenAccountId,
    /** Names the account of a row, while the list shows all of them. */
    nameOf(accountId: string): string | null {
      const owner = every ? accounts.find(({ id }) => id === accountId) : undefined
      return owner === undefined ? null : `${owner.name} ${owner.mode.toUpperCase()}`
    },
  }
}

type DisputeId = { accountId: string; disputeId: string }

/**
 * Marks the shown state of a dispute as done; the toast offers to undo it. If something newer was
 * written, the dispute stays, and the message offers to view it.
 */
function markDone(shown: DisputeRow, view: (row: DisputeRow) => void): void {
  const { accountId, disputeId, status, messages } = shown
  const mark = (done: boolean): Promise<void> =>
    rpc.disputes.mark({ accountId, disputeId, done, seen: { status, messages } })
  void mark(true).then(
    () =>
      toast({
        ...doneToast(shown),
        undo: () => succeeds(mark(false), fail(disputeId)),
      }),
    (error: unknown) =>
      toastProblem(problemOf(error), productLine(shown), {
        label: 'View dispute',
        run: () => view(shown),
      }),
  )
}

const markUnread = (dispute: DisputeId): void =>
  void rpc.disputes
    .mark({ ...dispute, unread: true })
    .then(() => toast({ title: 'Marked as unread' }), fail(dispute.disputeId))

/** Selects the unresolved disputes about the keys of a batch. */
const selectBatch = (selection: DisputeSelection, accountId: string, batchId: string): void => {
  const unresolved = rpc.batches
    .batch({ accountId, batchId })
    .then(
      ({ claims }) =>
        new Set(
          claims.flatMap(({ disputeId, status }) => (status === 'resolved' ? [] : [disputeId])),
        ),
    )
  void selection.select(unresolved, accountId).catch(fail(`Batch ${batchId}`))
}

/** Selects the row of the open dispute, or else the one at the cursor, and rows next to it. */
const selectionMoves = (
  selection: DisputeSelection,
  getRow: (index: number) => DisputeRow | undefined,
  { target, isOpen, follow }: ReturnType<typeof useInboxNavigation>,
) => ({
  count: selection.rows.length,
  toggle: (): void => selection.toggle(getRow(target)),
  extend(by: 1 | -1): void {
    // The first key press selects the row at the cursor, if nothing is open or selected.
    const isFirst = !isOpen && selection.rows.length === 0
    const to = target < 0 ? undefined : getRow(target + (isFirst ? 0 : by))
    selection.add(getRow(target), to)
    if (to !== undefined) follow(to)
  },
})

/** The rows of the inbox, whose disputes they are, and the open one among them. */
function useOpenInbox(disputeId: string | null) {
  const account = useAccount()
  const shown = useDisputeRows(account.id)
  const { asked, rows } = shown
  const { chooseAccount, ...owners } = useSellers(shown.every)
  const accountId = owners.ofDispute.id
  const open = disputeId === null ? null : { accountId, disputeId }
  const openKey = open === null ? null : rowKey(open)
  const followsFocus = useRef(false)
  const locate = useCallback(
    async () =>
      (await rpc.disputes.position({ ...asked, of: { accountId, disputeId: disputeId ?? '' } }))
        .index,
    [asked, accountId, disputeId],
  )
  const navigation = useInboxNavigation({
    rows: {
      total: rows.total,
      getRow: rows.getRow,
      isLoaded: rows.page !== undefined && !rows.stale,
    },
    asked,
    openKey,
    onAccount: chooseAccount,
    followsFocus,
    locate,
  })
  const list = useRef<SearchedList>(null)
  useImperativeHandle(list, () => ({
    focus: navigation.openFirst,
    openFirst: navigation.openFirst,
  }))
  return { ...shown, ...owners, open, openKey, followsFocus, navigation, list }
}

/** The dispute inbox: the list sorted by urgency and one open dispute, usable entirely by keyboard. */
export function DisputesPage({ disputeId }: { disputeId: string | null }) {
  const account = useAccount()
  const [, go] = useLocation()
  const { every, toggleEvery, filter, setFilter, rows, ...inbox } = useOpenInbox(disputeId)
  const { sellers, listed, ofDispute, nameOf, open, openKey, navigation, followsFocus, list } =
    inbox
  const pane = useRef<PaneHandle>(null)
  const notice = useContext(HeaderNotice)
  const canSend = !useIsOffline(ofDispute)
  const close = useCallback(() => go('/disputes'), [go])
  const done = (): void => {
    if (open === null) return
    const shown = pane.current?.shown() ?? rows.getRow(navigation.target)
    if (shown === undefined) return pane.current?.done()
    const next = navigation.nextOrPrevious()
    markDone(shown, navigation.open)
    if (next === undefined) close()
    else navigation.open(next)
  }
  const unread = (): void => {
    if (open === null) return
    markUnread(open)
    close()
  }
  const selection = useDisputeSelection(
    { list: JSON.stringify(inbox.asked), stale: rows.stale, showList: inbox.show },
    inbox.read,
  )
  const [dialog, setDialog] = useState<'reply' | 'results' | null>(null)
  useInboxShortcuts({
    opened: open !== null,
    pane,
    move: navigation.move,
    done,
    unread,
    close,
    select: {
      ...selectionMoves(selection, rows.getRow, navigation),
      all: selection.addAll,
      clear: selection.clear,
      reply: () => selection.whenSelected(() => setDialog('reply')),
    },
  })
  return (
    <div className={styles.page}>
      <Inbox
        account={account}
        listed={listed}
        filter={filter}
        onFilter={setFilter}
        every={sellers.length < 2 ? null : { on: every, toggle: toggleEvery }}
        rows={rows}
        openKey={openKey}
        cursor={navigation.cursor}
        accountName={nameOf}
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
            account={ofDispute}
            disputeId={disputeId}
            canSend={canSend}
            onActed={navigation.acted}
            onDone={done}
            onSelectBatch={(batchId) => selectBatch(selection, ofDispute.id, batchId)}
          />
        )}
        <SendingBar accountIds={listed.map(({ id }) => id)} accountName={nameOf} />
      </div>
      <BulkDialogs
        open={dialog}
        account={sellers.find(({ id }) => id === selection.rows[0]?.accountId) ?? ofDispute}
        listed={listed}
        accountName={nameOf}
        selection={selection}
        onClose={() => setDialog(null)}
      />
    </div>
  )
}

function NoneOpen({ isEmpty }: { isEmpty: boolean }) {
  return (
    <div className={styles.none}>
      {isEmpty ? (
        <EmptyState
          title="No disputes yet"
          text="Disputes about your sales appear here, those that need an answer first."
        />
      ) : (
        <EmptyState
          title="Choose a dispute"
          text="Press J to open the first one, which has the least time left."
        />
      )}
    </div>
  )
}
