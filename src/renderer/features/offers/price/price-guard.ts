import { type Cents, cents } from '../../../../../server/api/money.ts'

/** Why a price needs a second look before it is sent. */
export interface GuardedPrice {
  fromCents: Cents
  toCents: Cents
  /** The change exceeds this percentage; null if it doesn't. */
  overPercent: number | null
  /** The price is below this floor; null if it isn't. */
  floorCents: Cents | null
  /** The price is above this ceiling; null if it isn't. */
  ceilingCents: Cents | null
  /** A price within the limits that differs only by a moved decimal point; null if there is none. */
  suggestedCents: Cents | null
}

/** A change that needs no second look. */
export const plainChange = (fromCents: Cents, toCents: Cents): GuardedPrice => ({
  fromCents,
  toCents,
  overPercent: null,
  floorCents: null,
  ceilingCents: null,
  suggestedCents: null,
})

const isFar = (from: Cents, to: Cents, percent: number): boolean =>
  percent > 0 && from > 0 && Math.abs(to - from) * 100 > percent * from

/** Powers of ten by which a misplaced decimal point changes a price, the nearest first. */
const slips = [10, 0.1, 100, 0.01]

/**
 * Whether a typed price needs a confirmation: it is below the offer's floor or above its ceiling, or
 * differs from the current price by more than the guard allows.
 *
 * @param percent The guard from Settings; 0 allows every change.
 */
export function guardPrice(
  {
    priceCents,
    floorCents,
    ceilingCents,
  }: { priceCents: Cents; floorCents: Cents | null; ceilingCents: Cents | null },
  toCents: Cents,
  percent: number,
): GuardedPrice | null {
  const isLow = (price: number): boolean => floorCents !== null && price < floorCents
  const isHigh = (price: number): boolean => ceilingCents !== null && price > ceilingCents
  // A move towards a limit needs no confirmation, even if it ends beyond it.
  const below = isLow(toCents) && toCents < priceCents
  const above = isHigh(toCents) && toCents > priceCents
  const far = isFar(priceCents, toCents, percent)
  if (!below && !above && !far) return null
  const suggested = (percent === 0 ? [] : slips)
    .map((factor) => cents(Math.round(toCents * factor)))
    .find(
      (price) =>
        price >= 1 &&
        price !== priceCents &&
        !isFar(priceCents, price, percent) &&
        !isLow(price) &&
        !isHigh(price),
    )
  return {
    ...plainChange(priceCents, toCents),
    overPercent: far ? percent : null,
    floorCents: below ? floorCents : null,
    ceilingCents: above ? ceilingCents : null,
    suggestedCents: suggested ?? null,
  }
}
