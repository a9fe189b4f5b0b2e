import { t } from '../../../../contract/localization/localized.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Cents } from '../../../../../server/api/money.ts'
import type { ListedOffer, OfferRow } from '../../../../contract/offers/offers.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { discardQueued } from '../../../lib/account/outbox.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { productLine, variantLabel } from '../../../lib/labels/product-labels.ts'
import { formatCents } from '../../../ui/format.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { confirmGuardedPrice } from './guard-dialog.tsx'
import { guardPrice } from './price-guard.ts'
import { lostToast, queuedToast, statusToast } from './change-toasts.ts'
import { discardsQueued, isLost, queuedPrice } from './queued-change.ts'
import { showSaving } from './show-saving.ts'

export interface OfferChanges {
  setPrice: (row: ListedOffer, priceCents: Cents) => void
  setStatus: (row: OfferRow, status: 'active' | 'paused') => void
}

/** The status that a person chose: a queued status takes precedence. */
export const statusOf = (row: OfferRow): string =>
  row.pending?.state === 'waits' ? (row.pending.status ?? row.status) : row.status

/**
 * Changes an offer on the service, or queues the change while the service is unreachable. The toast
 * of each change offers to undo it.
 */
export function useOfferChange(): OfferChanges {
  const { id: accountId } = useAccount()
  const settings = useQuery(api.app.settings.queryOptions()).data
  const client = useQueryClient()
  const change = useMutation(api.offers.change.mutationOptions())
  /** Sends a change; `done` shows its result. Resolves to whether it succeeded. */
  const send = async (
    row: OfferRow,
    wanted: { priceCents: Cents } | { status: 'active' | 'paused' },
    expectedPriceCents: Cents,
    done: (after: OfferRow) => void = () => {},
  ): Promise<boolean> => {
    if ('priceCents' in wanted) showSaving(client, accountId, row.offerId, wanted.priceCents)
    try {
      done(
        await change.mutateAsync({
          accountId,
          offerId: row.offerId,
          expectedPriceCents,
          ...wanted,
        }),
      )
      return true
    } catch (error) {
      toastProblem(problemOf(error), productLine(row))
      void client.invalidateQueries({ queryKey: api.offers.key() })
      return false
    }
  }
  /** Discards the queued change of an offer. Resolves to whether it succeeded. */
  const leave = async (
    row: OfferRow,
    kind: 'offer-price' | 'offer-status',
    title?: string,
  ): Promise<boolean> => {
    try {
      const isDiscarded = await discardQueued(accountId, kind, row.offerId)
      if (!isDiscarded)
        toast({
          kind: 'waits',
          title: `${row.name}: queued change not discarded`,
          text: 'It is no longer queued. Check the offer, then change it again if you still want to.',
        })
      else if (title !== undefined)
        toast({ title, text: 'The queued change was discarded. Nothing was sent.' })
      return isDiscarded
    } catch (error) {
      toastProblem(problemOf(error), productLine(row))
      return false
    }
  }
  /**
   * Asks about a price that the price guard stops. Resolves to the offer with the current price that
   * the person saw; null if the price isn't sent.
   */
  const guarded = async (row: ListedOffer, priceCents: Cents): Promise<ListedOffer | null> => {
    const percent = settings?.priceGuard ?? 0
    if (guardPrice(row, priceCents, percent) === null) return row
    const seenCents = await confirmGuardedPrice(row, priceCents, percent)
    return seenCents === null ? null : { ...row, priceCents: seenCents }
  }
  /** Sends a price after the price guard's question, if the guard stops it. */
  const sendGuarded = async (
    row: ListedOffer,
    priceCents: Cents,
    fromCents: Cents,
  ): Promise<boolean> => {
    const seen = await guarded({ ...row, priceCents: fromCents }, priceCents)
    return seen === null ? false : send(seen, { priceCents }, seen.priceCents)
  }
  const sendPrice = (row: ListedOffer, priceCents: Cents, waited: Cents | null): Promise<boolean> =>
    send(row, { priceCents }, row.priceCents, (after) =>
      isLost(after, 'price')
        ? toast({
            ...lostToast,
            title: `${row.name}: ${formatCents(priceCents)} not confirmed`,
          })
        : after.pending?.state === 'waits'
          ? toast({
              ...queuedToast,
              title: `${row.name}: ${formatCents(priceCents)} queued`,
              group: {
                key: 'queued-prices',
                many: (count) => t('screens.offers-prices-queued', { count }),
              },
              undo: () =>
                waited === null
                  ? leave(row, 'offer-price')
                  : send(row, { priceCents: waited }, row.priceCents),
            })
          : toast({
              title: `${row.name}: ${formatCents(row.priceCents)} to ${formatCents(priceCents)}`,
              text: `${variantLabel(row)}. You receive this per key from now on. No keys moved.`,
              group: {
                key: 'prices',
                many: (count) => t('screens.offers-prices-changed', { count }),
              },
              undo: () => sendGuarded(row, row.priceCents, priceCents),
              redo: () => sendGuarded(row, priceCents, row.priceCents),
            }),
    )
  return {
    setPrice(row, priceCents) {
      const waited = queuedPrice(row)
      if (priceCents === (waited ?? row.priceCents)) return
      if (discardsQueued(row, { priceCents }))
        return void leave(row, 'offer-price', `${row.name} stays at ${formatCents(priceCents)}`)
      void guarded(row, priceCents).then(async (seen) => {
        if (seen !== null) await sendPrice(seen, priceCents, waited)
      })
    },
    setStatus(row, status) {
      if (discardsQueued(row, { status }))
        return void leave(row, 'offer-status', `${row.name} stays ${status}`)
      const before = status === 'paused' ? 'active' : 'paused'
      void send(row, { status }, row.priceCents, (after) =>
        toast({
          ...statusToast(after, status),
          ...(isLost(after, 'status')
            ? {}
            : after.pending?.state === 'waits'
              ? { undo: () => leave(row, 'offer-status') }
              : {
                  undo: () => send(row, { status: before }, row.priceCents),
                  redo: () => send(row, { status }, row.priceCents),
                }),
        }),
      )
    },
  }
}
