import { t } from '../../../../contract/localization/localized.ts'
import { useMutation } from '@tanstack/react-query'
import type { Cents } from '../../../../../server/api/money.ts'
import type { OfferRow } from '../../../../contract/offers/offers.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { discardQueued } from '../../../lib/account/outbox.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { formatCents } from '../../../ui/format.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'

export interface OfferChanges {
  setPrice: (row: OfferRow, priceCents: Cents) => void
  setStatus: (row: OfferRow, status: 'active' | 'paused') => void
}

/** The status that a person chose: a queued status takes precedence. */
export const statusOf = (row: OfferRow): string =>
  row.pending?.state === 'waits' ? (row.pending.status ?? row.status) : row.status
/** Toast text for a queued change. */
export const queuedText = 'Queued until the connection is back. Nothing is sent without you.'

/**
 * Changes an offer on the service, or queues the change while the service is unreachable. The toast
 * of each change offers to undo it.
 */
export function useOfferChange(): OfferChanges {
  const { id: accountId } = useAccount()
  const change = useMutation(
    api.offers.change.mutationOptions({ onError: (error) => toastProblem(problemOf(error)) }),
  )
  const send = (
    row: OfferRow,
    wanted: { priceCents: Cents } | { status: 'active' | 'paused' },
    expectedPriceCents: Cents,
    done: (after: OfferRow) => void,
  ): void => {
    change.mutate(
      { accountId, offerId: row.offerId, expectedPriceCents, ...wanted },
      { onSuccess: done },
    )
  }
  /** Discards the queued change of an offer. */
  const leave = (row: OfferRow, kind: 'offer-price' | 'offer-status', title?: string): void => {
    void discardQueued(accountId, kind, row.offerId)
      .then(() => {
        if (title !== undefined)
          toast({ title, text: 'The queued change was discarded. Nothing was sent.' })
      })
      .catch((error: unknown) => {
        toastProblem(problemOf(error))
      })
  }
  return {
    setPrice(row, priceCents) {
      const waited = row.pending?.state === 'waits' ? row.pending.priceCents : null
      if (priceCents === (waited ?? row.priceCents)) return
      if (priceCents === row.priceCents)
        return leave(row, 'offer-price', `${row.name} stays at ${formatCents(priceCents)}`)
      send(row, { priceCents }, row.priceCents, (after) =>
        after.pending?.state === 'waits'
          ? toast({
              id: `price-${row.offerId}`,
              kind: 'waits',
              title: `${row.name}: ${formatCents(priceCents)} queued`,
              text: queuedText,
              undo: () => {
                if (waited === null) leave(row, 'offer-price')
                else send(row, { priceCents: waited }, row.priceCents, () => {})
              },
            })
          : toast({
              id: `price-${row.offerId}`,
              title: `${row.name}: ${formatCents(row.priceCents)} to ${formatCents(priceCents)}`,
              text: 'You receive this per key from now on. No keys moved.',
              undo: () => send(row, { priceCents: row.priceCents }, priceCents, () => {}),
            }),
      )
    },
    setStatus(row, status) {
      if (status === row.status) return leave(row, 'offer-status', `${row.name} stays ${status}`)
      const keys = t('screens.offers-keys-stay', { count: row.stock })
      send(row, { status }, row.priceCents, (after) =>
        after.pending?.state === 'waits'
          ? toast({
              id: `status-${row.offerId}`,
              kind: 'waits',
              title: `${row.name}: ${status === 'paused' ? 'pause' : 'activation'} queued`,
              text: queuedText,
              undo: () => leave(row, 'offer-status'),
            })
          : toast({
              id: `status-${row.offerId}`,
              title: `${row.name} ${status === 'paused' ? 'paused' : 'is active'}`,
              text: `No keys moved. ${keys} in stock.`,
              undo: () =>
                send(
                  row,
                  { status: status === 'paused' ? 'active' : 'paused' },
                  row.priceCents,
                  () => {},
                ),
            }),
      )
    },
  }
}
