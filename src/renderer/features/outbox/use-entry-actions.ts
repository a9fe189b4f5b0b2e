import { useMemo, useRef } from 'react'
import type { RefObject } from 'react'
import { useLocation } from 'wouter'
import type { Cents } from '../../../../server/api/money.ts'
import type { OutboxEntry } from '../../../contract/outbox.ts'
import type { TableHandle } from '../../ui/table/data-table.tsx'
import { outboxColumns, type RowActions } from './list/columns.tsx'
import { entryNavigation, type OutboxList } from './list/use-outbox-list.ts'
import type { OutboxActions } from './use-outbox.ts'

/**
 * What a person can do with one entry, in its row or its panel. After an entry is done, the next
 * one opens.
 */
export function useEntryActions({
  list,
  canSend,
  entryId,
  outbox,
  table,
}: {
  list: OutboxList
  canSend: boolean
  /** The open entry. */
  entryId: string | null
  outbox: OutboxActions
  table: RefObject<TableHandle | null>
}) {
  const [, go] = useLocation()
  const { tab } = list
  const open = (id: string | null): void =>
    go(id === null ? '/outbox' : `/outbox/${id}`, { replace: entryId !== null })
  const { neighborOf } = entryNavigation(list)
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
  const restore = (entry: OutboxEntry): void => {
    goOn(entry)
    outbox.restore([entry])
  }
  act.current = {
    send,
    discard,
    open: (entry) => open(entry.entryId),
    restore,
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

  return { open, goOn, send, discard, restore, neighborOf, columns }
}
