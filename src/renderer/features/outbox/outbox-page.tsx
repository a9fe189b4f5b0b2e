import { useDeferredValue, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useServiceConnection } from '../../lib/account/service-connection.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { NoMatches } from '../../ui/feedback/no-matches.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'
import type { TableHandle } from '../../ui/table/data-table.tsx'
import type { OutboxTab } from './list/columns.tsx'
import { OutboxTable } from './list/outbox-table.tsx'
import { ComparisonBar } from './comparison-bar.tsx'
import { DiscardAllDialog } from './discard-all-dialog.tsx'
import { EmptyTab } from './list/empty-tab.tsx'
import type { ChoicesHandle } from './entry/entry-choices.tsx'
import { EntryPanel } from './entry/entry-panel.tsx'
import { OutboxHeader } from './outbox-header.tsx'
import { SendResultsDialog } from './results/results-dialog.tsx'
import { SendBar } from './send-bar.tsx'
import { useOutbox } from './use-outbox.ts'
import { useOutboxRows } from './list/use-outbox-rows.ts'
import { useEntryActions } from './use-entry-actions.ts'

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
  const list = useOutboxRows(tab, query)
  const { rows, verdicts, waiting, total } = list
  const { page } = rows

  const { open, goOn, send, discard, restore, entryAt, neighborOf, columns } = useEntryActions({
    tab,
    canSend,
    entryId,
    outbox,
    list,
    table,
  })

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
            onRestore={restore}
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
      <OutboxHeader
        tab={tab}
        onTab={chooseTab}
        typed={typed}
        onType={setTyped}
        table={table}
        list={list}
        columns={columns}
        onDiscardAll={() => setDroppingAll(true)}
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
        <OutboxTable
          key={tab}
          ref={table}
          tab={tab}
          list={list}
          columns={columns}
          entryId={entryId}
          onOpen={open}
          onType={(digit) => {
            if (digit === null) choices.current?.submit()
            else choices.current?.type(digit)
          }}
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
