import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useAccount } from '../../../lib/account/current-account.ts'
import { useSendingBlock } from '../../../lib/account/sending-block.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import { emptyDraft, useTableDrafts } from './table-draft.ts'
import { placeableOrders, tableChange } from './table-preview.ts'
import type { ReadTable } from './table-preview.ts'

/** The table is read when nothing was typed for this long, in milliseconds. */
const typingPauseMs = 250

/**
 * The table of orders being entered. It is read when its text changes and when the dialog opens, and
 * isn't shown until then. Only the orders shown are placed: prices are read again when a person
 * presses the button, and if anything differs, nothing is placed and `changed` has the current table.
 */
export function useOrderTable() {
  const account = useAccount()
  const [, go] = useLocation()
  const { openFor, drafts, change, close } = useTableDrafts()
  const draft = drafts[account.id] ?? emptyDraft
  const opened = openFor === account.id
  const [read, setRead] = useState<{ text: string; table: ReadTable } | null>(null)
  const [changed, setChanged] = useState<ReadTable | null>(null)
  const shown = read?.text === draft.text ? read.table : null
  const onError = (error: Error): void => void toastProblem(problemOf(error), null)

  const { text } = draft
  useEffect(() => {
    if (!opened || text.trim() === '') return
    let isLatest = true
    const timer = setTimeout(() => {
      rpc.orders.parseTable({ accountId: account.id, text }).then(
        (table) => {
          if (isLatest) setRead({ text, table })
        },
        (error: unknown) => {
          if (isLatest) toastProblem(problemOf(error), null)
        },
      )
    }, typingPauseMs)
    return () => {
      isLatest = false
      clearTimeout(timer)
      setRead(null)
      setChanged(null)
    }
  }, [opened, text, account.id])

  const placeMany = useMutation(
    api.orders.placeMany.mutationOptions({
      onSuccess: ({ bulkId }) => {
        change(account.id, emptyDraft)
        close()
        go(`/orders/bulk/${bulkId}`)
      },
      onError,
    }),
  )
  const check = useMutation({
    mutationFn: () => rpc.orders.parseTable({ accountId: account.id, text, fresh: true }),
  })
  const placeIfSame = (table: ReadTable, now: ReadTable): void => {
    if (tableChange(table, now) !== null) return setChanged(now)
    placeMany.mutate({
      accountId: account.id,
      name: draft.name,
      orders: placeableOrders(table).map(({ externalId, lines }) => ({
        externalId,
        lines: lines.map(({ productId, qty, maxUnitCents }) => ({
          productId,
          qty,
          maxUnitCents,
        })),
      })),
    })
  }
  const busy = check.isPending || placeMany.isPending
  const blocked = useSendingBlock()
  const canPlace =
    blocked === null &&
    shown !== null &&
    changed === null &&
    !busy &&
    placeableOrders(shown).length > 0
  const leave = (): void => {
    check.reset()
    close()
  }
  return {
    opened,
    draft,
    enter: (name: string, entered: string) => {
      check.reset()
      change(account.id, { ...draft, name, text: entered })
    },
    close: leave,
    shown,
    changed,
    topUp: () => {
      leave()
      go('/balance')
    },
    accept: () => {
      if (changed !== null) setRead({ text, table: changed })
      setChanged(null)
    },
    canPlace,
    blocked,
    busy,
    place: () => {
      if (!canPlace) return
      // Not options of the mutation: those are also called after the dialog was closed or its text
      // changed, when nothing may be ordered.
      check.mutate(undefined, { onSuccess: (now) => placeIfSame(shown, now), onError })
    },
  }
}
