import { useRef, useState } from 'react'
import { useServiceConnection } from '../../lib/account/service-connection.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { Page } from '../../ui/layout/page.tsx'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'
import type { TargetTable } from '../../ui/table/data-table.tsx'
import { isGroupHeading, type OutboxRow } from './list/columns.tsx'
import { OutboxTable } from './list/outbox-table.tsx'
import { ComparisonBar } from './comparison-bar.tsx'
import { DiscardAllDialog } from './discard-all-dialog.tsx'
import type { ChoicesHandle } from './entry/entry-choices.tsx'
import { EntryPanel } from './entry/entry-panel.tsx'
import { OutboxFilter, OutboxHeader } from './outbox-header.tsx'
import { SendResultsDialog } from './results/results-dialog.tsx'
import { SendBar } from './send-bar.tsx'
import { useOutbox } from './use-outbox.ts'
import { useOutboxList } from './list/use-outbox-list.ts'
import { useEntryActions } from './use-entry-actions.ts'

/**
 * Changes made while the service couldn't be reached: compared with the service's current state,
 * and sent on the person's approval.
 */
export function OutboxPage({ entryId = null }: { entryId?: string | null }) {
  const account = useAccount()
  const table = useRef<TargetTable<OutboxRow>>(null)
  const choices = useRef<ChoicesHandle>(null)
  const [droppingAll, setDroppingAll] = useState(false)
  const canSend = ['online', 'doubtful', 'slowed'].includes(
    useServiceConnection(account)?.state ?? '',
  )
  const outbox = useOutbox()
  const list = useOutboxList()
  const { tab, waiting } = list
  const { open, goOn, send, discard, restore, neighborOf, columns } = useEntryActions({
    list,
    canSend,
    entryId,
    outbox,
    table,
  })
  useShortcut(
    'Delete',
    () => {
      const entry = table.current?.target()
      if (entry !== undefined && !isGroupHeading(entry)) discard(entry)
    },
    { enabled: tab === 'waiting' },
  )
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
        list={list}
        onTab={(next) => {
          list.setTab(next)
          open(null)
        }}
        onDiscardAll={() => setDroppingAll(true)}
      />
      <OutboxFilter list={list} table={table} columns={columns} />
      {tab === 'waiting' && waiting > 0 && canSend ? (
        <ComparisonBar
          waiting={waiting}
          at={list.rows.page?.comparedAt ?? null}
          busy={outbox.comparing}
          onCompare={outbox.compare}
        />
      ) : null}
      <OutboxTable
        ref={table}
        list={list}
        columns={columns}
        entryId={entryId}
        onOpen={open}
        onType={(digit) => {
          if (digit === null) choices.current?.submit()
          else choices.current?.type(digit)
        }}
      />
      {tab !== 'waiting' || waiting === 0 ? null : (
        <SendBar list={list} outbox={outbox} canSend={canSend} />
      )}
      {droppingAll ? (
        <DiscardAllDialog
          onClose={() => setDroppingAll(false)}
          onConfirm={async (entries) => {
            open(null)
            await outbox.discard(entries)
          }}
        />
      ) : null}
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
