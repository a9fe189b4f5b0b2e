import { useQuery } from '@tanstack/react-query'
import { IconChartBar, IconSearchOff } from '@tabler/icons-react'
import { useContext, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import {
  type DisputeFilter,
  disputeReasons,
  type DisputeRow,
  type DisputeView,
  disputeViews,
} from '../../../contract/dispute-records.ts'
import { useOfflineSince } from '../../lib/connection.ts'
import { useAccount } from '../../lib/current-account.ts'
import { problemOf } from '../../lib/problem.ts'
import { api, rpc } from '../../lib/rpc.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { CountTabs } from '../../ui/count-tabs.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { KeyCap } from '../../ui/key-cap.tsx'
import { HeaderNotice } from '../../ui/page.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { isCovered, isTyping, useShortcut } from '../../ui/shortcuts.ts'
import { flag, oneOf, useLook, wordsOf } from '../../ui/table/look-store.ts'
import { usePagedRows } from '../../ui/table/paged-rows.ts'
import { toast, toastProblem } from '../../ui/toasts.tsx'
import { DisputeList, rowKey } from './dispute-list.tsx'
import { DisputePane, type PaneHandle } from './dispute-pane.tsx'
import styles from './disputes.module.css'
import { FilterMenu } from './filter-menu.tsx'
import { plural } from './words.ts'

type DisputePage = Awaited<ReturnType<typeof rpc.disputes.list>>

const lookParts = {
  view: oneOf(disputeViews, 'inbox'),
  unread: flag,
  reasons: wordsOf(disputeReasons),
  languages: wordsOf(),
  every: flag,
}
const fail = (error: unknown): void => {
  toastProblem(problemOf(error))
}
const tabs: readonly { id: DisputeView; label: string }[] = [
  { id: 'inbox', label: 'Inbox' },
  { id: 'mine', label: 'Mine' },
  { id: 'snoozed', label: 'Snoozed' },
  { id: 'resolved', label: 'Resolved' },
]

/**
 * The dispute inbox: the list sorted by urgency and one open dispute, usable entirely by keyboard.
 */
export function DisputesPage({ disputeId }: { disputeId: string | null }) {
  const account = useAccount()
  const [, go] = useLocation()
  const [{ every, ...narrowed }, look] = useLook('disputes', account.id, lookParts)
  const [words, setWords] = useState('')
  const filter: DisputeFilter = { ...narrowed, query: words }
  const [openAccount, setOpenAccount] = useState(account.id)
  const [cursor, setCursor] = useState(0)
  const pane = useRef<PaneHandle>(null)
  /** The dispute to open after one that was acted on, whose place in the list may have changed. */
  const following = useRef<{ of: string; next: DisputeRow | undefined } | null>(null)
  /** The row that shortcuts pressed while the list was loading lead to. */
  const wanted = useRef<number | null>(null)
  const notice = useContext(HeaderNotice)
  const accounts = useQuery(api.accounts.list.queryOptions()).data ?? [account]
  const sellers = accounts.filter(({ role }) => role === 'seller')
  const query = useDeferredValue(words.trim())
  const { view, unread: onlyUnread, reasons, languages } = narrowed
  const asked = useMemo(
    () => ({
      view,
      unread: onlyUnread,
      reasons,
      languages,
      query,
      accountId: account.id,
      everyAccount: every,
    }),
    [account.id, every, view, onlyUnread, reasons, languages, query],
  )
  const rows = usePagedRows<DisputeRow, DisputePage>(JSON.stringify(asked), (window) =>
    api.disputes.list.queryOptions({ input: { ...asked, window } }),
  )
  const { total, getRow, page } = rows
  const paneAccount = sellers.find(({ id }) => id === (every ? openAccount : account.id)) ?? account
  const canSend = useOfflineSince(paneAccount) === undefined
  const openKey = disputeId === null ? null : rowKey({ accountId: paneAccount.id, disputeId })
  const nameOf = (id: string): string | null =>
    every ? (accounts.find((each) => each.id === id)?.name ?? null) : null

  const indexOf = (key: string | null): number => {
    for (let distance = 0; distance < Math.min(total, 400); distance++) {
      for (const index of [cursor + distance, cursor - distance]) {
        const row = index < 0 ? undefined : getRow(index)
        if (row !== undefined && rowKey(row) === key) return index
      }
    }
    return -1
  }
  const here = indexOf(openKey)
  useEffect(() => {
    if (here >= 0) setCursor(here)
  }, [here])
  const open = (row: DisputeRow | undefined, index?: number): void => {
    if (row === undefined) return
    following.current = null
    wanted.current = null
    if (index !== undefined) setCursor(index)
    setOpenAccount(row.accountId)
    go(`/disputes/${encodeURIComponent(row.disputeId)}`, { replace: disputeId !== null })
  }
  const besideOpen = (by: 1 | -1): number => {
    if (wanted.current !== null) return wanted.current + by
    return here >= 0 ? here + by : openKey === null ? 0 : cursor
  }
  const move = (by: 1 | -1): void => {
    const follows = following.current
    if (by === 1 && follows !== null && follows.of === openKey && follows.next !== undefined)
      return open(follows.next)
    const index = Math.max(
      0,
      page === undefined ? besideOpen(by) : Math.min(total - 1, besideOpen(by)),
    )
    const row = getRow(index)
    if (row !== undefined) return open(row, index)
    // Not loaded yet: open it once it is.
    wanted.current = index
    if (total > 0) setCursor(index)
  }
  useEffect(() => {
    if (wanted.current === null || page === undefined) return
    const index = Math.min(total - 1, wanted.current)
    const row = getRow(index)
    if (row !== undefined) open(row, index)
    else if (total === 0) wanted.current = null
  })
  useEffect(
    () => () => {
      wanted.current = null
    },
    [asked],
  )
  /** Records the next dispute before this one moves in the list. */
  const acted = (): void => {
    if (openKey === null) return
    const next = here >= 0 && here + 1 < total ? getRow(here + 1) : undefined
    following.current = { of: openKey, next }
  }
  const done = (): void => {
    if (disputeId === null) return
    const next =
      here >= 0 && here + 1 < total ? getRow(here + 1) : here > 0 ? getRow(here - 1) : undefined
    const ref = { accountId: paneAccount.id, disputeId }
    void rpc.disputes.mark({ ...ref, done: true }).then(
      () =>
        toast({
          title: 'Done',
          text: 'It comes back when something new is written.',
          undo: () => void rpc.disputes.mark({ ...ref, done: false }).catch(fail),
        }),
      fail,
    )
    if (next === undefined) go('/disputes')
    else open(next)
  }
  const unread = (): void => {
    if (disputeId === null) return
    void rpc.disputes
      .mark({ accountId: paneAccount.id, disputeId, unread: true })
      .then(() => toast({ title: 'Marked as unread' }), fail)
    go('/disputes')
  }
  useShortcut('j', () => move(1))
  useShortcut('k', () => move(-1))
  useShortcut('ArrowDown', () => move(1))
  useShortcut('ArrowUp', () => move(-1))
  const opened = disputeId !== null
  useShortcut('o', () => {
    if (opened) pane.current?.reply()
    else move(1)
  })
  useShortcut('r', () => pane.current?.reply(), { enabled: opened })
  useShortcut('t', () => pane.current?.templates(), { enabled: opened })
  useShortcut('s', () => pane.current?.act('replace-stock'), { enabled: opened })
  useShortcut('p', () => pane.current?.act('replace-key'), { enabled: opened })
  useShortcut('f', () => pane.current?.act('refund'), { enabled: opened })
  useShortcut('z', () => pane.current?.snooze(), { enabled: opened })
  useShortcut('x', () => pane.current?.evidence(), { enabled: opened })
  useShortcut('i', () => pane.current?.beside(), { enabled: opened })
  useShortcut('1', () => pane.current?.useTemplate(1), { enabled: opened })
  useShortcut('2', () => pane.current?.useTemplate(2), { enabled: opened })
  useShortcut('3', () => pane.current?.useTemplate(3), { enabled: opened })
  useShortcut('e', done, { enabled: opened })
  useShortcut('u', unread, { enabled: opened })
  useEffect(() => {
    if (!opened) return
    // Runs before a dialog or menu handles the key: once that has closed, nothing shows that the
    // key was meant for it.
    const onKey = (event: KeyboardEvent): void => {
      if (
        event.key === 'Escape' &&
        !isCovered() &&
        !isTyping(event) &&
        document.querySelector('[role="menu"]') === null
      )
        go('/disputes')
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [go, opened])

  const practise = (): void =>
    void rpc.disputes.practise({ accountId: account.id, claims: 8 }).then(
      ({ claims }) =>
        toast({
          title:
            claims === 0 ? 'No test disputes created' : `${plural(claims, 'test dispute')} created`,
          text:
            claims === 0
              ? 'No recent sale can still be disputed.'
              : 'The customers reply within a minute when you write to them.',
        }),
      fail,
    )
  return (
    <div className={styles.page}>
      <section className={styles.left} aria-label="Inbox">
        <header className={styles.leftHead}>
          <h1>Disputes</h1>
          <FilterMenu
            accountId={account.id}
            filter={filter}
            counts={page?.views}
            onChange={({ query: sought, ...rest }) => {
              setWords(sought)
              look(rest)
            }}
            every={sellers.length < 2 ? null : { on: every, toggle: () => look({ every: !every }) }}
          />
          <IconButton label="Report" onClick={() => go('/disputes/report')}>
            <IconChartBar size={16} stroke={1.6} />
          </IconButton>
        </header>
        <CountTabs
          label="Views"
          value={filter.view}
          onChange={(next) => look({ view: next })}
          tabs={tabs.map(({ id, label }) => ({
            id,
            label,
            ...(id === 'resolved'
              ? {}
              : {
                  count: page?.views[id] === 0 && id !== 'inbox' ? null : (page?.views[id] ?? null),
                }),
          }))}
        />
        <div className={styles.search}>
          <SearchField label="Search disputes" width={288} value={words} onChange={setWords} />
        </div>
        {rows.error !== null && page === undefined ? (
          <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
        ) : page === undefined ? (
          <div className={styles.list} aria-busy />
        ) : (
          <DisputeList
            groups={page.groups}
            total={total}
            getRow={getRow}
            onRange={rows.onRange}
            openKey={openKey}
            cursor={cursor}
            accountName={nameOf}
            onOpen={(row) => open(row, indexOf(rowKey(row)))}
            empty={
              query !== '' ||
              filter.reasons.length + filter.languages.length > 0 ||
              filter.unread ? (
                <p className="kd-nothing">
                  <IconSearchOff size={14} stroke={1.6} aria-hidden /> No disputes match.
                </p>
              ) : (
                <p className="kd-nothing">
                  {filter.view === 'inbox' ? 'Nothing needs your attention.' : 'No disputes here.'}
                </p>
              )
            }
          />
        )}
        {account.mode === 'sandbox' ? (
          <div className={styles.practise}>
            <Button kind="sandbox" wide onClick={practise}>
              Create test disputes
            </Button>
          </div>
        ) : null}
        <footer className={styles.keys} aria-hidden>
          <KeyCap name="J" />
          <KeyCap name="K" /> move <KeyCap name="R" /> reply <KeyCap name="Z" /> snooze{' '}
          <KeyCap name="E" /> done
        </footer>
      </section>
      <div className={styles.right}>
        {notice}
        {disputeId !== null ? (
          <DisputePane
            key={openKey}
            ref={pane}
            account={paneAccount}
            disputeId={disputeId}
            canSend={canSend}
            onActed={acted}
            onDone={done}
          />
        ) : (
          <EmptyState
            title={
              page !== undefined && page.views.all === 0 ? 'No disputes yet' : 'Choose a dispute'
            }
            text={
              page !== undefined && page.views.all === 0
                ? 'Disputes about your sales appear here, those that need an answer first.'
                : 'Press J to open the first one, which has the least time left.'
            }
          />
        )}
      </div>
    </div>
  )
}
