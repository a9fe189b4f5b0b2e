import type {
  BulkChange,
  BulkLine,
  BulkNote,
  BulkOfferState,
  Reprice,
} from '../../../../contract/offers/offer-bulk.ts'
import type { OfferRow } from '../../../../contract/offers/offers.ts'
import {
  absCents,
  addCents,
  cents,
  type Cents,
  customerPrice,
  percentHundredths,
  plainEuros,
  sellerPriceFor,
  subtractCents,
  timesFactor,
  ZERO,
} from '../../../../../server/api/money.ts'

/** The limits of an offer's price, in cents of what the seller receives; null: no known limit. */
export type PriceLimits = { floorCents: Cents | null; ceilingCents: Cents | null }

const MIN_PRICE_CENTS = cents(1)
const MAX_PRICE_CENTS = cents(10_000_000)

type Priced = Pick<
  OfferRow,
  | 'priceCents'
  | 'customerCents'
  | 'commission'
  | 'status'
  | 'stock'
  | 'isCheapest'
  | 'lowestCustomerCents'
>

/** The resulting customer price; null while the commission is unknown. */
export const customerAt = (
  { commission }: Pick<OfferRow, 'commission'>,
  priceCents: Cents,
): Cents | null =>
  commission === null ? null : customerPrice(priceCents, percentHundredths(commission.percent))

/** The offer's current price and lead. */
export function currentState(offer: Priced): BulkOfferState {
  const sells = offer.status === 'active' && offer.stock > 0
  const behind = sells && offer.isCheapest === false && offer.lowestCustomerCents !== null
  return {
    priceCents: offer.priceCents,
    customerCents: offer.customerCents,
    status: offer.status,
    stock: offer.stock,
    leads: sells ? offer.isCheapest : null,
    aheadCents: behind
      ? subtractCents(offer.lowestCustomerCents ?? ZERO, offer.customerCents)
      : null,
  }
}

/**
 * The offer's lead at another price, as far as it can be known: while an offer leads, the service
 * doesn't report the other prices.
 */
function stateAt(offer: Priced, priceCents: Cents): BulkOfferState {
  const now = currentState(offer)
  const customerCents = customerAt(offer, priceCents)
  const after = { ...now, priceCents, customerCents }
  if (now.leads === null || customerCents === null)
    return { ...after, leads: null, aheadCents: null }
  if (now.leads)
    return { ...after, leads: customerCents <= offer.customerCents ? true : null, aheadCents: null }
  if (offer.lowestCustomerCents === null) return { ...after, leads: null, aheadCents: null }
  const aheadCents = subtractCents(offer.lowestCustomerCents, customerCents)
  // At equal prices, the older price sells first, so this offer doesn't lead.
  return { ...after, leads: aheadCents > 0, aheadCents }
}

/** The price that a rule computes, or the reason why it can't. */
function targetPrice(offer: Priced, how: Reprice): Cents | BulkNote {
  if (how.by === 'amount') return addCents(offer.priceCents, how.cents)
  if (how.by === 'percent')
    return timesFactor(offer.priceCents, {
      numerator: BigInt(10_000 + how.hundredths),
      denominator: 10_000n,
    })
  if (offer.isCheapest === true) return 'leads-already'
  if (offer.lowestCustomerCents === null) return 'no-best-price'
  if (offer.commission === null) return 'no-commission'
  const aim = subtractCents(offer.lowestCustomerCents, how.by === 'undercut' ? how.cents : ZERO)
  return aim < MIN_PRICE_CENTS
    ? 'too-low'
    : sellerPriceFor(aim, percentHundredths(offer.commission.percent))
}

const STAYS: ReadonlySet<BulkNote> = new Set(['leads-already', 'same', 'at-floor', 'at-ceiling'])

/**
 * Clamps a target to the limits and returns a note about it. A price that is already beyond a limit
 * never moves further away from it.
 */
function clampToLimits(
  price: Cents,
  target: Cents,
  { floorCents: floor, ceilingCents: ceiling }: PriceLimits,
  keep: boolean,
): { to: Cents; note: BulkNote | null } {
  if (floor !== null && target < floor) {
    if (!keep || target > price) return { to: target, note: 'below-floor' }
    return floor >= price ? { to: price, note: 'at-floor' } : { to: floor, note: 'stops-at-floor' }
  }
  if (ceiling !== null && target > ceiling) {
    if (!keep || target < price) return { to: target, note: 'above-ceiling' }
    return ceiling <= price
      ? { to: price, note: 'at-ceiling' }
      : { to: ceiling, note: 'stops-at-ceiling' }
  }
  return { to: target, note: null }
}

/** The note about a price that is beyond a limit and moves away from it; null for any other. */
export function noteBeyond(
  price: Cents,
  to: Cents | null,
  { floorCents, ceilingCents }: PriceLimits,
): BulkNote | null {
  if (to === null) return null
  if (floorCents !== null && to < floorCents && to < price) return 'below-floor'
  return ceilingCents !== null && to > ceilingCents && to > price ? 'above-ceiling' : null
}

const identityOf = (offer: OfferRow) => ({
  subjectId: offer.offerId,
  name: offer.name,
  platform: offer.platform,
  region: offer.region,
  deliveryType: offer.deliveryType,
})

function unchanged(offer: OfferRow, note: BulkNote): BulkLine {
  const before = currentState(offer)
  return {
    ...identityOf(offer),
    verdict: STAYS.has(note) ? 'stays' : 'left-out',
    note,
    before,
    after: before,
  }
}

function reprice(offer: OfferRow, how: Reprice, keepFloor: boolean, limits: PriceLimits): BulkLine {
  const target = targetPrice(offer, how)
  if (typeof target === 'string') return unchanged(offer, target)
  if (target < MIN_PRICE_CENTS) return unchanged(offer, 'too-low')
  if (target > MAX_PRICE_CENTS) return unchanged(offer, 'too-high')
  const { to, note } = clampToLimits(offer.priceCents, target, limits, keepFloor)
  if (to === offer.priceCents)
    return unchanged(offer, note === 'at-floor' || note === 'at-ceiling' ? note : 'same')
  const before = currentState(offer)
  const after = stateAt(offer, to)
  return {
    ...identityOf(offer),
    verdict: 'changes',
    note: note ?? (before.leads === false && after.leads === true ? 'takes-lead' : null),
    before,
    after,
  }
}

/** Plans a bulk change for one offer, from mirrored data only. */
export function planOffer(offer: OfferRow, change: BulkChange, limits: PriceLimits): BulkLine {
  if (offer.pending !== null && offer.pending.state !== 'refused')
    return unchanged(offer, offer.pending.state === 'waits' ? 'waits-in-outbox' : 'being-changed')
  const before = currentState(offer)
  switch (change.kind) {
    case 'price':
      return reprice(offer, change.how, change.keepFloor, limits)
    case 'status':
      if (offer.status === change.status) return unchanged(offer, 'same')
      return {
        ...identityOf(offer),
        verdict: 'changes',
        note: null,
        before,
        after: { ...before, status: change.status, leads: null, aheadCents: null },
      }
    case 'withdraw':
      if (offer.stock === 0) return unchanged(offer, 'no-stock')
      return {
        ...identityOf(offer),
        verdict: 'changes',
        note: null,
        before,
        after: { ...before, stock: 0, leads: null, aheadCents: null },
      }
    case 'close':
      return {
        ...identityOf(offer),
        verdict: 'changes',
        note: null,
        before,
        after: {
          priceCents: null,
          customerCents: null,
          status: null,
          stock: null,
          leads: null,
          aheadCents: null,
        },
      }
  }
}

const signedPercent = (hundredths: number): string =>
  `${hundredths < 0 ? '−' : '+'}${Math.abs(hundredths / 100)}`

/** The title of a bulk change. */
export function titleOf(change: BulkChange): string {
  if (change.kind === 'status') return change.status === 'paused' ? 'Pause' : 'Activate'
  if (change.kind === 'withdraw') return 'Withdraw keys'
  if (change.kind === 'close') return 'Close offers'
  const { how } = change
  if (how.by === 'match') return 'Prices: match the best price'
  if (how.by === 'undercut') return `Prices: ${plainEuros(how.cents)} below the best price`
  return how.by === 'percent'
    ? `Prices ${signedPercent(how.hundredths)} %`
    : `Prices ${how.cents < 0 ? '−' : '+'}${plainEuros(absCents(how.cents))}`
}
