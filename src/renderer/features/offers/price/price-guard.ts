import { type Cents, cents } from '../../../../../server/api/money.ts'

/** Why a price needs a second look before it is sent. */
export interface GuardedPrice {
  fromCents: Cents
  toCents: Cents
  /** The change exceeds this percentage; null if it doesn't. */
  overPercent: number | null
  /** The price is below this floor; null if it isn't. */
  floorCents: Cents | null
  /** A price within the limits that differs only by a moved decimal point; null if there is none. */
  suggestedCents: Cents | null
}

const isFar = (from: Cents, to: Cents, percent: number): boolean =>
  percent > 0 && from > 0 && Math.abs(to - from) * 100 > percent * from

/** Powers of ten by which a misplaced decimal point changes a price, the nearest first. */
const slips = [10, 0.1, 100, 0.01]

/**
 * Whether a typed price needs a confirmation: it is below the floor of the offer's rule, or differs
 * from the current price by more than the guard allows.
 *
 * @param percent The guard from Settings; 0 allows every change.
 */
export function guardPrice(
  { priceCents, floorCents }: { priceCents: Cents; floorCents: Cents | null },
  toCents: Cents,
  percent: number,
): GuardedPrice | null {
  const isLow = (price: number): boolean => floorCents !== null && price < floorCents
  // A rise towards the floor needs no confirmation, even if it ends below it.
  const below = isLow(toCents) && toCents < priceCents
  const far = isFar(priceCents, toCents, percent)
  if (!below && !far) return null
  const suggested = (percent === 0 ? [] : slips)
    .map((factor) => cents(Math.round(toCents * factor)))
    .find(
      (price) =>
        price >= 1 && price !== priceCents && !isFar(priceCents, price, percent) && !isLow(price),
    )
  return {
    fromCents: priceCents,
    toCents,
    overPercent: far ? percent : null,
    floorCents: below ? floorCents : null,
    suggestedCents: suggested ?? null,
  }
}
