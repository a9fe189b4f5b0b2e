import { useMutation } from '@tanstack/react-query'
import type { OfferRow } from '../../../contract/offers.ts'
import { useAccount } from '../../lib/current-account.ts'
import { problemOf } from '../../lib/problem.ts'
import { api } from '../../lib/rpc.ts'
import { formatCents } from '../../ui/format.ts'
import { toast, toastProblem } from '../../ui/toasts.tsx'

export interface OfferChanges {
  setPrice: (row: OfferRow, priceCents: number) => void
  setStatus: (row: OfferRow, status: 'active' | 'paused') => void
}

/** Changes an offer on the service; each change can be taken back from its toast. */
export function useOfferChange(): OfferChanges {
  const { id: accountId } = useAccount()
  const change = useMutation(api.offers.change.mutationOptions({ onError: (error) => toastProblem(problemOf(error)) }))
  const send = (row: OfferRow, wanted: { priceCents: number } | { status: 'active' | 'paused' }, expectedPriceCents: number, done: (after: OfferRow) => void): void => {
    change.mutate({ accountId, offerId: row.offerId, expectedPriceCents, ...wanted }, { onSuccess: done })
  }
  return {
    setPrice(row, priceCents) {
      if (priceCents === row.priceCents) return
      send(row, { priceCents }, row.priceCents, () => toast({
        id: `price-${row.offerId}`, title: `${row.name}: ${formatCents(row.priceCents)} to ${formatCents(priceCents)}`, text: 'You receive this per key from now on. No keys moved.',
        undo: () => send(row, { priceCents: row.priceCents }, priceCents, () => {}),
      }))
    },
    setStatus(row, status) {
      const keys = row.stock === 1 ? '1 stays' : `${row.stock} stay`
      send(row, { status }, row.priceCents, () => toast({
        id: `status-${row.offerId}`, title: `${row.name} ${status === 'paused' ? 'paused' : 'is active'}`, text: `No keys moved. ${keys} in stock.`,
        undo: () => send(row, { status: status === 'paused' ? 'active' : 'paused' }, row.priceCents, () => {}),
      }))
    },
  }
}
