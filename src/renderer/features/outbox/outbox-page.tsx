import { IconCloudCheck, IconRefresh, IconSearchOff, IconTrash } from '@tabler/icons-react'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { OutboxEntry, OutboxVerdict } from '../../../contract/outbox.ts'
import { useConnection } from '../../lib/connection.ts'
import { useAccount } from '../../lib/current-account.ts'
import { problemOf } from '../../lib/problem.ts'
import { api } from '../../lib/rpc.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CountTabs } from '../../ui/count-tabs.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { formatClockSeconds, formatCount, formatMoment } from '../../ui/format.ts'
import { ModeBadge } from '../../ui/mode-badge.tsx'
import { Footer, Page, PageHeader } from '../../ui/page.tsx'
import { ProgressBar } from '../../ui/progress-ring.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { useShortcut } from '../../ui/shortcuts.ts'
import { DataTable, type TableHandle } from '../../ui/table/data-table.tsx'
import { usePagedRows } from '../../ui/table/paged-rows.ts'
import { TableCopy } from '../../ui/table/table-copy.tsx'
import {
  isHead,
  outboxColumns,
  type OutboxLine,
  type OutboxTab,
  type RowActions,
} from './columns.tsx'
import type { ChoicesHandle } from './entry-choices.tsx'
import { EntryPanel } from './entry-panel.tsx'
import { groupsOf } from './groups.ts'
import styles from './outbox.module.css'
import { useOutbox } from './use-outbox.ts'

type Verdicts = Record<OutboxVerdict, number>
type OutboxPageOf = {
  total: number
  rows: OutboxEntry[]
  counts: Record<OutboxTab, number>
  verdicts: Verdicts
  comparedAt: number | null
}

const none: Verdicts = { uncompared: 0, ready: 0, decide: 0, already: 0, gone: 0 }
const keyOf = (line: OutboxLine): string => (isHead(line) ? `group-${line.group}` : line.entryId)

/**
 * Changes made while the service couldn't be reached: compared with the service's current state,
 * and sent on the person's approval.
 */
export function OutboxPage({ entryId = null }: { entryId?: string | null }) {
  const account = useAccount()
  const [, go] = useLocation()
  const table = useRef<TableHandle>(null)
  const choices = useRef<ChoicesHandle>(null)
  const [tab, setTab] = useState<OutboxTab>('waiting')
  const [typed, setTyped] = useState('')
  const [droppingAll, setDroppingAll] = useState(false)
  const query = useDeferredValue(typed)
  const canSend = ['online', 'slowed'].includes(useConnection(account)?.state ?? '')
  const outbox = useOutbox()
  const rows = usePagedRows<OutboxEntry, OutboxPageOf>(
    JSON.stringify([account.id, tab, query]),
    (window) =>
      api.outbox.list.queryOptions({ input: { accountId: account.id, tab, query, window } }),
  )
  const { page } = rows
  const verdicts = page?.verdicts ?? none
  const waiting = page?.counts.waiting ?? 0
  const groups = useMemo(() => (tab === 'waiting' ? groupsOf(verdicts) : null), [tab, verdicts])
  const total = groups?.total ?? rows.total
  const getRow = (index: number): OutboxLine | undefined => {
    if (groups === null) return rows.getRow(index)
    const place = groups.at(index)
    return place === null ? undefined : 'head' in place ? place.head : rows.getRow(place.row)
  }

  const open = (id: string | null): void =>
    go(id === null ? '/outbox' : `/outbox/${id}`, { replace: entryId !== null })
  const entryAt = (index: number): OutboxEntry | null => {
    const line = getRow(index)
    return line === undefined || isHead(line) ? null : line
  }
  const lineOfOpen = (): number =>
    Array.from({ length: total }, (_, index) => index).find(
      (index) => entryAt(index)?.entryId === entryId,
    ) ?? -1
  /** The entry before or after the open one, skipping group headings. */
  const beside = (by: 1 | -1): OutboxEntry | null => {
    for (let index = lineOfOpen() + by; index >= 0 && index < total; index += by) {
      const entry = entryAt(index)
      if (entry !== null) return entry
    }
    return null
  }
  /** The open entry is done: open the next one. */
  const goOn = (entry: OutboxEntry): void => {
    if (entry.entryId === entryId) open((beside(1) ?? beside(-1))?.entryId ?? null)
    table.current?.focus()
  }
  const drop = (entry: OutboxEntry): void => {
    if (entry.state !== 'waiting') return
    goOn(entry)
    void outbox.drop([entry])
  }
  const send = (entry: OutboxEntry, priceCents?: number): void => outbox.send([entry], priceCents)
  const act = useRef<RowActions>({ send, open: () => {}, drop, takeBack: () => {} })
  act.current = {
    send,
    drop,
    open: (entry) => open(entry.entryId),
    takeBack: (entry) => {
      goOn(entry)
      outbox.takeBack([entry])
    },
  }
  const columns = useMemo(
    () =>
      outboxColumns(tab, canSend, {
        send: (entry) => act.current.send(entry),
        open: (entry) => act.current.open(entry),
        drop: (entry) => act.current.drop(entry),
        takeBack: (entry) => act.current.takeBack(entry),
      }),
    [tab, canSend],
  )

  const ready = tab === 'waiting' ? verdicts.ready : 0
  const canSendReady = canSend && ready > 0 && outbox.progress === null
  useShortcut('Ctrl+Enter', () => outbox.sendReady(query), { enabled: canSendReady })
  useShortcut(
    'Delete',
    () => {
      const entry = entryAt(table.current?.current() ?? -1)
      if (entry !== null) drop(entry)
    },
    { enabled: tab === 'waiting' },
  )
  const chooseTab = (next: OutboxTab): void => {
    setTab(next)
    open(null)
  }

  return (
    <Page
      panel={
        entryId === null ? undefined : (
          <EntryPanel
            key={entryId}
            entryId={entryId}
            canSend={canSend}
            busy={outbox.progress !== null}
            choices={choices}
            onSend={(entry, priceCents) => {
              send(entry, priceCents)
              goOn(entry)
            }}
            onDrop={drop}
            onTakeBack={(entry) => act.current.takeBack(entry)}
            onMove={(by) => {
              const entry = beside(by)
              if (entry !== null) open(entry.entryId)
            }}
            onClose={() => {
              open(null)
              table.current?.focus()
            }}
          />
        )
      }
    >
      <PageHeader
        title="Queued changes"
        beside={
          <CountTabs
            label="Views"
            value={tab}
            onChange={chooseTab}
            tabs={[
              { id: 'waiting', label: 'Queued', count: page?.counts.waiting ?? null },
              { id: 'sent', label: 'Sent', count: page?.counts.sent ?? null },
              { id: 'dropped', label: 'Discarded', count: page?.counts.dropped ?? null },
            ]}
          />
        }
        actions={
          <>
            <SearchField
              label="Filter queued changes"
              width={180}
              value={typed}
              onChange={setTyped}
              onDown={() => table.current?.focus()}
            />
            <TableCopy
              tableId={`outbox-${tab}`}
              columns={columns}
              rowsOf={rows.read}
              total={rows.total}
            />
            {tab === 'waiting' && waiting > 0 ? (
              <Button kind="quiet" onClick={() => setDroppingAll(true)}>
                Discard all…
              </Button>
            ) : null}
          </>
        }
      />
      {tab === 'waiting' && waiting > 0 && canSend ? (
        <Compared
          waiting={waiting}
          at={page?.comparedAt ?? null}
          busy={outbox.comparing}
          onCompare={outbox.compare}
        />
      ) : null}
      {rows.error !== null && page === undefined ? (
        <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
      ) : (
        <DataTable
          key={tab}
          ref={table}
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
            if (!isHead(line)) open(line.entryId)
          }}
          onClose={() => open(null)}
          onEdit={(_line, _index, digit) => {
            if (digit === null) choices.current?.submit()
            else choices.current?.type(digit)
          }}
          wholeRow={(line) =>
            isHead(line) ? (
              <div className={styles.head}>
                <b>{line.title}</b>
                {line.detail}
              </div>
            ) : null
          }
          isMuted={(line) =>
            !isHead(line) && line.state === 'waiting' && line.verdict === 'already'
          }
          empty={
            query === '' ? (
              <Nothing tab={tab} />
            ) : (
              <p className="kd-nothing">
                <IconSearchOff size={14} stroke={1.6} aria-hidden /> No changes match “{query}”.
              </p>
            )
          }
        />
      )}
      {tab !== 'waiting' || waiting === 0 ? null : outbox.progress !== null ? (
        <Footer
          actions={
            <Button size="md" onClick={outbox.stop}>
              Stop
            </Button>
          }
        >
          <span className={styles.progress}>
            <ProgressBar
              share={outbox.progress.done / outbox.progress.total}
              width={120}
              label="Sending"
            />
            Sending {formatCount(outbox.progress.done)} of {formatCount(outbox.progress.total)}.
            Choose Stop to keep the rest queued.
          </span>
        </Footer>
      ) : (
        <Footer
          actions={
            <>
              <ModeBadge mode={account.mode} />
              <Button
                kind="primary"
                size="md"
                disabled={!canSendReady}
                {...(canSendReady && { keys: ['Ctrl', 'Enter'] })}
                onClick={() => outbox.sendReady(query)}
              >
                {ready === 0 ? 'Nothing ready' : `Send ${formatCount(ready)} ready`}
              </Button>
            </>
          }
        >
          <span>
            {sumOf(verdicts)}{' '}
            {canSend
              ? 'Each change is sent once and gets its own result.'
              : 'Nothing can be sent until the connection is back.'}
          </span>
        </Footer>
      )}
      <ConfirmDialog
        opened={droppingAll}
        onClose={() => setDroppingAll(false)}
        onConfirm={async () => {
          open(null)
          await outbox.dropAll()
        }}
        account={account}
        title={`Discard all ${formatCount(waiting)} queued ${waiting === 1 ? 'change' : 'changes'}?`}
        lead="You can restore them from the Discarded tab."
        confirmLabel={`Discard ${formatCount(waiting)} ${waiting === 1 ? 'change' : 'changes'}`}
        destructive
        effects={[
          {
            icon: <IconTrash size={16} stroke={1.6} />,
            what: 'Nothing is sent.',
            more: 'Prices, offers and disputes don’t change on the service.',
          },
        ]}
      />
    </Page>
  )
}

/** `3 ready, 4 to decide, 1 already done.` */
function sumOf({ ready, decide, gone, already, uncompared }: Verdicts): string {
  const parts = [
    [ready, 'ready'],
    [decide + gone, 'to decide'],
    [uncompared, 'not compared yet'],
    [already, 'already done'],
  ] as const
  return `${
    parts
      .filter(([count]) => count > 0)
      .map(([count, word]) => `${formatCount(count)} ${word}`)
      .join(', ') || '0 queued'
  }.`
}

function Compared({
  waiting,
  at,
  busy,
  onCompare,
}: {
  waiting: number
  at: number | null
  busy: boolean
  onCompare: () => void
}) {
  const since = useConnection(useAccount())?.since ?? null
  const now = Date.now()
  const all = waiting === 1 ? 'Your change was' : `All ${formatCount(waiting)} were`
  const clock = (moment: number): string =>
    new Date(moment).toDateString() === new Date(now).toDateString()
      ? formatClockSeconds(moment)
      : formatMoment(moment, now)
  return (
    <div className={styles.compared} role="status">
      <IconCloudCheck size={16} stroke={1.6} aria-hidden />
      <span>
        <b>Back online{since === null ? '' : ` since ${clock(since)}`}.</b>{' '}
        {at === null
          ? 'Your changes are being compared with the service’s current data.'
          : `${all} compared with the service at ${clock(at)}.`}{' '}
        Nothing is sent yet.
      </span>
      <Button busy={busy} icon={<IconRefresh size={15} stroke={1.6} />} onClick={onCompare}>
        Compare again
      </Button>
    </div>
  )
}

function Nothing({ tab }: { tab: OutboxTab }) {
  if (tab === 'sent')
    return (
      <EmptyState
        title="No changes sent from here yet"
        text="Queued changes that were sent are listed here with their times."
        columns={[90, 60, 60]}
      />
    )
  if (tab === 'dropped')
    return (
      <EmptyState
        title="No discarded changes"
        text="Discarded changes are listed here. You can restore them."
        columns={[90, 60, 60]}
      />
    )
  return (
    <EmptyState
      title="No queued changes"
      text={
        'While the service can’t be reached, your changes are queued here. When it’s back, ' +
        'Keydesk compares each with the current data and sends it when you approve.'
      }
      columns={[90, 60, 60]}
    />
  )
}
