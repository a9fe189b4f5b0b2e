import { useQuery } from '@tanstack/react-query'
import { type RefObject, useMemo, useRef, useState } from 'react'
import type { Cents } from '../../../../../server/api/money.ts'
import type { ListedOffer } from '../../../../contract/offers/offers.ts'
import { api } from '../../../lib/core/rpc.ts'
import type { TableHandle } from '../../../ui/table/data-table.tsx'
import { offerColumns } from './columns.tsx'
import type { OfferColumnParts, TypedPrice } from './columns.tsx'

/** The price cell that is being edited, and the price typed in it. */
export function usePriceEdit(
  table: RefObject<TableHandle | null>,
  total: number,
  setPrice: (row: ListedOffer, cents: Cents) => void,
) {
  const [editing, setEditing] = useState<{
    key: string
    columnId: string
    typed: string | null
  } | null>(null)
  const [typed, setTyped] = useState<TypedPrice | null>(null)
  const save = useRef<OfferColumnParts['onSave']>(() => {})
  save.current = (row, cents, next) => {
    setPrice(row, cents)
    const at = table.current?.current() ?? 0
    setEditing(null)
    setTyped(null)
    if (next !== 'stay') table.current?.focus()
    if (next === 'down') table.current?.goTo(Math.min(total - 1, at + 1))
  }
  const handlers = useMemo(
    () => ({
      onType: setTyped,
      onSave: (...edit: Parameters<OfferColumnParts['onSave']>) => save.current(...edit),
      onCancel: () => {
        setEditing(null)
        setTyped(null)
        table.current?.focus()
      },
    }),
    [table],
  )
  return {
    editing,
    typed,
    handlers,
    begin(row: ListedOffer, digit: string | null): void {
      setTyped(null)
      setEditing({ key: row.offerId, columnId: 'price', typed: digit })
    },
  }
}
export type PriceEdit = ReturnType<typeof usePriceEdit>

/** The columns of the offers table; `asOf` is the time of the last reading while offline. */
export function useOfferColumns({ typed, handlers }: PriceEdit, asOf: number | null) {
  const settings = useQuery(api.app.settings.queryOptions()).data
  const lowAt = settings?.lowStock ?? 0
  const guardPercent = settings?.priceGuard ?? 0
  return useMemo(
    () => offerColumns({ typed, lowAt, guardPercent, asOf, ...handlers }),
    [typed, lowAt, guardPercent, asOf, handlers],
  )
}
