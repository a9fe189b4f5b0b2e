import { cents, customerPrice, percentHundredths } from '../../../server/api/money.ts'
import type { PriceRule } from '../../contract/price-rules.ts'

/**
 * What is looked at once more when a price is about to leave. All of it is read at that moment.
 * Cents, milliseconds.
 */
export type LastLook = {
  rule: Pick<PriceRule, 'floor' | 'ceiling' | 'mostPercent' | 'changesADay'> | null
  targetCents: number
  /** What the change was decided from, and what the price is now. */
  fromCents: number
  priceCents: number
  status: string
  stock: number
  commissionPercent: number | null
  costCents: number | null
  /** When the offer was read from the service. */
  readAt: number
  now: number
  changesToday: number
  stopped: boolean
}

export type Refusal =
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

/** Older readings of an offer are not enough to send by. */
export const freshForMs = 30_000
/** No rule may change a price by more than half at once, whatever it says. */
const HARD_JUMP = 0.5

/**
 * The last look before a price leaves, apart from the rules' own reckoning: it knows nothing of
 * markets, only what must never happen. Gives why the price must not be sent; null when it may.
 */
export function refusalOf(look: LastLook): Refusal | null {
  if (look.stopped) return 'stopped'
  if (look.rule === null) return 'rule-gone'
  if (look.status !== 'active' || look.stock <= 0) return 'not-selling'
  if (look.priceCents !== look.fromCents) return 'price-moved'
  if (look.now - look.readAt > freshForMs) return 'not-fresh'
  if (
    !Number.isSafeInteger(look.targetCents) ||
    look.targetCents < 1 ||
    look.targetCents === look.priceCents
  )
    return 'no-price'
  if (look.changesToday >= look.rule.changesADay) return 'changes-today'
  const jump = Math.abs(look.targetCents - look.priceCents) / look.priceCents
  if (jump > HARD_JUMP || jump > look.rule.mostPercent / 100) return 'jump'
  return limitRefusal(look, look.rule)
}

function limitRefusal(
  look: LastLook,
  { floor, ceiling }: Pick<PriceRule, 'floor' | 'ceiling'>,
): Refusal | null {
  const customer =
    look.commissionPercent === null
      ? null
      : customerPrice(cents(look.targetCents), percentHundredths(look.commissionPercent))
  const profit = look.costCents === null ? null : look.targetCents - look.costCents
  const wants = (limit: { profitCents: number; profitPercent: number }): number =>
    limit.profitCents + ((look.costCents ?? 0) * limit.profitPercent) / 100
  /** How far above the limit the price is; null: nobody can tell. */
  const above = (limit: PriceRule['floor']): number | null => {
    switch (limit.kind) {
      case 'receive':
        return look.targetCents - limit.cents
      case 'customer':
        return customer === null ? null : customer - limit.cents
      case 'cost':
        return profit === null ? null : profit - wants(limit)
    }
  }
  const overFloor = above(floor)
  if (overFloor === null) return 'limit-unknown'
  if (overFloor < 0) return 'below-floor'
  if (ceiling.kind === 'none') return null
  const overCeiling = above(ceiling)
  if (overCeiling === null) return 'limit-unknown'
  // A ceiling of cost and profit may end in parts of a cent: less than one is none.
  return overCeiling >= 1 || (ceiling.kind !== 'cost' && overCeiling > 0) ? 'above-ceiling' : null
}
