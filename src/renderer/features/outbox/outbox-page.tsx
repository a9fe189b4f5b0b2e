import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Cents } from '../../../../server/api/money.ts'
import type { OutboxEntry } from '../../../contract/outbox.ts'
import { useServiceConnection } from '../../lib/account/service-connection.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { NoMatches } from '../../ui/feedback/no-matches.tsx'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { CountTabs } from '../../ui/layout/count-tabs.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import { SearchField } from '../../ui/controls/fields/search-field.tsx'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'
import { DataTable, type TableHandle } from '../../ui/table/data-table.tsx'
import { TableCopy } from '../../ui/table/copy/table-copy.tsx'
import {
  isGroupHeading,
  outboxColumns,
  type OutboxRow,
  type OutboxTab,
  type RowActions,
} from './list/columns.tsx'
import { ComparisonBar } from './comparison-bar.tsx'
import { DiscardAllDialog } from './discard-all-dialog.tsx'
import { EmptyTab } from './list/empty-tab.tsx'
import type { ChoicesHandle } from './entry/entry-choices.tsx'
import { EntryPanel } from './entry/entry-panel.tsx'
import styles from './outbox.module.css'
import { SendResultsDialog } from './results/results-dialog.tsx'
import { SendBar } from './send-bar.tsx'
import { useOutbox } from './use-outbox.ts'
import { entryNavigation, useOutboxRows } from './list/use-outbox-rows.ts'

const keyOf = (line: OutboxRow): string =>
  isGroupHeading(line) ? `group-${line.group}` : line.entryId

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
  const canSend = ['online', 'doubtful', 'slowed'].includes(
    useServiceConnection(account)?.state ?? '',
  )
  const outbox = useOutbox()
  const { rows, verdicts, waiting, total, getRow } = useOutboxRows(tab, query)
  const { page } = rows

  const open = (id: string | null): void =>
    go(id === null ? '/outbox' : `/outbox/${id}`, { replace: entryId !== null })
  const { entryAt, neighborOf } = entryNavigation(total, getRow)
  /** The open entry is done: open the next one. */
  const goOn = (entry: OutboxEntry): void => {
    if (entry.entryId === entryId)
      open((neighborOf(entryId, 1) ?? neighborOf(entryId, -1))?.entryId ?? null)
    table.current?.focus()
  }
  const discard = (entry: OutboxEntry): void => {
    if (entry.state !== 'waiting') return
    goOn(entry)
    void outbox.discard([entry])
  }
  const send = (entry: OutboxEntry, priceCents?: Cents): void => outbox.send([entry], priceCents)
  const act = useRef<RowActions>({ send, open: () => {}, discard, restore: () => {} })
  act.current = {
    send,
    discard,
    open: (entry) => open(entry.entryId),
    restore: (entry) => {
      goOn(entry)
      outbox.restore([entry])
    },
  }
  const columns = useMemo(
    () =>
      outboxColumns(tab, canSend, {
        send: (entry) => act.current.send(entry),
        open: (entry) => act.current.open(entry),
        discard: (entry) => act.current.discard(entry),
        restore: (entry) => act.current.restore(entry),
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
      if (entry !== null) discard(entry)
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
            onDiscard={discard}
            onRestore={(entry) => act.current.restore(entry)}
            onMove={(by) => {
              const entry = neighborOf(entryId, by)
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
              width={230}
              value={typed}
              onChange={setTyped}
              list={table}
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
        <ComparisonBar
          waiting={waiting}
          at={page?.comparedAt ?? null}
          busy={outbox.comparing}
          onCompare={outbox.compare}
        />
      ) : null}
      {rows.error !== null && page === undefined ? (
        <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
      ) : query === '' && total === 0 && !rows.loading ? (
        <EmptyTab tab={tab} onOffers={() => go('/offers')} />
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
            if (!isGroupHeading(line)) open(line.entryId)
          }}
          onClose={() => open(null)}
          onEdit={(_line, _index, digit) => {
            if (digit === null) choices.current?.submit()
            else choices.current?.type(digit)
          }}
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
      )}
      {tab !== 'waiting' || waiting === 0 ? null : (
        <SendBar
          verdicts={verdicts}
          canSend={canSend}
          progress={outbox.progress}
          onSendReady={canSendReady ? () => outbox.sendReady(query) : null}
          onStop={outbox.stop}
        />
      )}
      <DiscardAllDialog
        opened={droppingAll}
        count={waiting}
        onClose={() => setDroppingAll(false)}
        onConfirm={async () => {
          open(null)
          await outbox.discardAll()
        }}
      />
      {outbox.results === null ? null : (
        <SendResultsDialog
          entries={outbox.results}
          onRetry={(failed) => {
            outbox.closeResults()
            outbox.send(failed)
          }}
          onClose={outbox.closeResults}
        />
      )}
    </Page>
  )
}
