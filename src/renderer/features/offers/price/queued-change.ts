import type { Cents } from '../../../../../server/api/money.ts'
import type { OfferRow } from '../../../../contract/offers/offers.ts'

type Change = { priceCents: Cents } | { status: OfferRow['status'] }

/** Whether the response to a queued price or status was lost, so that it can still arrive. */
export const isLost = ({ pending }: OfferRow, kind: 'price' | 'status'): boolean =>
  pending?.lost?.includes(kind) === true

/** The price that is queued for an offer; null without one. A rejected price isn't queued. */
export const queuedPrice = ({ pending }: OfferRow): Cents | null =>
  pending?.state === 'waits' ? pending.priceCents : null

/**
 * Whether a change only discards a queued one, because it is the offer's value on the service. If
 * the response to the queued one was lost, the value has to be sent: the lost one can still arrive.
 */
export const discardsQueued = (row: OfferRow, wanted: Change): boolean =>
  'priceCents' in wanted
    ? wanted.priceCents === row.priceCents && !isLost(row, 'price')
    : wanted.status === row.status && !isLost(row, 'status')

/** The queued parts of an offer's change, and those whose response was lost. */
export function queuedParts(row: OfferRow, formatPrice: (cents: Cents) => string) {
  const { pending } = row
  if (pending?.state !== 'waits') return { queued: [], lost: [] }
  const price = pending.priceCents === null ? [] : [`price ${formatPrice(pending.priceCents)}`]
  const status =
    pending.status === null ? [] : [pending.status === 'paused' ? 'pause' : 'activation']
  const lostPrice = isLost(row, 'price') ? price : []
  const lostStatus = isLost(row, 'status') ? status : []
  return {
    queued: [...price, ...status].filter((part) => ![...lostPrice, ...lostStatus].includes(part)),
    lost: [...lostPrice, ...lostStatus],
  }
}
