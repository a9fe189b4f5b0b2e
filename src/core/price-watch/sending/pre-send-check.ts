import {
  type Cents,
  cents,
  customerPrice,
  percentHundredths,
} from '../../../../server/api/money.ts'
import type { PriceRule } from '../../../contract/price-watch/price-rules.ts'

/** The inputs of the pre-send check, read right before a price is sent. Cents, milliseconds. */
export type PreSendFacts = {
  rule: Pick<PriceRule, 'floor' | 'ceiling' | 'mostPercent' | 'changesADay'> | null
  targetCents: Cents
  /** The price that the change was based on, and the current price. */
  fromCents: Cents
  priceCents: Cents
  status: string
  stock: number
  commissionPercent: number | null
  costCents: Cents | null
  /** The offer's own limits, in the amount that the seller receives; null: none. */
  ownFloorCents: Cents | null
  ownCeilingCents: Cents | null
  /** When the offer was read from the service. */
  readAt: number
  now: number
  changesToday: number
  stopped: boolean
}

export type PreSendRejection =
  | 'stopped'
  | 'rule-gone'
  | 'not-selling'
  | 'price-moved'
  | 'not-fresh'
  | 'no-price'
  | 'below-floor'
  | 'above-ceiling'
  | 'limit-unknown'
  | 'jump'
  | 'changes-today'

/** Readings must not be older than this for sending. */
export const maxReadingAgeMs = 30_000
/** The largest change of a price in one step, whatever the rule allows. */
const MAX_CHANGE_SHARE = 0.5
/** Percentages are compared as millionths, because 4.4 % of 15.00 isn't exact in binary. */
const WHOLE = 1_000_000
const partsOf = (percent: number): number => Math.round((percent * WHOLE) / 100)

/**
 * The pre-send check. It is independent of the rules' own computation: it ignores the market and
 * only knows what must never happen. Returns why the price must not be sent; null if it is allowed.
 */
export function preSendRejection(look: PreSendFacts): PreSendRejection | null {
  if (look.stopped) return 'stopped'
  if (look.rule === null) return 'rule-gone'
  if (look.status !== 'active' || look.stock <= 0) return 'not-selling'
  if (look.priceCents !== look.fromCents) return 'price-moved'
  // A reading from the future says that the clock was set back: its age is unknown.
  if (look.readAt > look.now || look.now - look.readAt > maxReadingAgeMs) return 'not-fresh'
  if (
    !Number.isSafeInteger(look.targetCents) ||
    look.targetCents < 1 ||
    look.targetCents === look.priceCents
  )
    return 'no-price'
  if (look.changesToday >= look.rule.changesADay) return 'changes-today'
  const change = Math.abs(look.targetCents - look.priceCents)
  if (change > look.priceCents * MAX_CHANGE_SHARE) return 'jump'
  if (change * WHOLE > look.priceCents * partsOf(look.rule.mostPercent)) return 'jump'
  if (look.ownFloorCents !== null && look.targetCents < look.ownFloorCents) return 'below-floor'
  if (look.ownCeilingCents !== null && look.targetCents > look.ownCeilingCents)
    return 'above-ceiling'
  return limitRejection(look, look.rule)
}

function limitRejection(
  look: PreSendFacts,
  { floor, ceiling }: Pick<PriceRule, 'floor' | 'ceiling'>,
): PreSendRejection | null {
  const customer =
    look.commissionPercent === null
      ? null
      : customerPrice(cents(look.targetCents), percentHundredths(look.commissionPercent))
  const profit = look.costCents === null ? null : look.targetCents - look.costCents
  const aboveProfit = (of: number, limit: { profitCents: Cents; profitPercent: number }): number =>
    ((of - limit.profitCents) * WHOLE - (look.costCents ?? 0) * partsOf(limit.profitPercent)) /
    WHOLE
  /** How far the price is above the limit; null if that can't be computed. */
  const above = (limit: PriceRule['floor']): number | null => {
    switch (limit.kind) {
      case 'receive':
        return look.targetCents - limit.cents
      case 'customer':
        return customer === null ? null : customer - limit.cents
      case 'cost':
        return profit === null ? null : aboveProfit(profit, limit)
    }
  }
  const overFloor = above(floor)
  if (overFloor === null) return 'limit-unknown'
  if (overFloor < 0) return 'below-floor'
  if (ceiling.kind === 'none') return null
  const overCeiling = above(ceiling)
  if (overCeiling === null) return 'limit-unknown'
  // A ceiling computed from cost and profit can contain fractions of a cent, so less than one cent
  // above it is allowed.
  return overCeiling >= 1 || (ceiling.kind !== 'cost' && overCeiling > 0) ? 'above-ceiling' : null
}
