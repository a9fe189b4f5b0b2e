import {
  type Cents,
  roundedEuros,
  subtractCents,
  sumCents,
  timesCents,
  ZERO,
} from '../../../../../server/api/money.ts'
import type { Problem } from '../../../../contract/base.ts'
import type { BasketLine } from './basket.ts'
import { rejectedLineOf } from '../../../../contract/rejected-line.ts'
import type { ComposedLine } from './compose-order.ts'
import { formatCents } from '../../../ui/format.ts'

/**
 * The effect of a rejection's button. A button that changes the order doesn't place it, so that the
 * person sees the changed order first.
 */
export type NextStep =
  | { kind: 'lines'; label: string; lines: BasketLine[] }
  | { kind: 'again'; label: string; afterMs: number }
  | { kind: 'open-order'; label: string; orderId: string }
  | { kind: 'new-reference'; label: string }
  | { kind: 'balance'; label: string }
  | { kind: 'account'; label: string }
  | { kind: 'look'; label: string }
  | { kind: 'close'; label: string }

/** The choice beside raising a maximum. */
export const keepAndWait = 'Keep maximum and wait'

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const centsOf = (value: unknown): Cents | null =>
  typeof value === 'number' ? roundedEuros(value) : null
const mostCost = (lines: readonly BasketLine[]): Cents =>
  sumCents(lines.map((line) => timesCents(line.maxCents ?? ZERO, line.qty)))
const toBasketLine = ({ id, productId, qty, maxCents, seenCents }: BasketLine): BasketLine => ({
  id,
  productId,
  qty,
  maxCents,
  seenCents,
})

/**
 * The lines with units removed, from the last line up, until they cost at most `limitCents`; null
 * if nothing fits.
 */
export function fitTo(lines: readonly BasketLine[], limitCents: Cents): BasketLine[] | null {
  const kept = lines.map(toBasketLine)
  for (let over = mostCost(kept) - limitCents; over > 0; over = mostCost(kept) - limitCents) {
    const last = kept.at(-1)
    if (last === undefined) return null
    last.qty = Math.max(
      0,
      last.qty - Math.max(1, Math.ceil(over / Math.max(1, last.maxCents ?? 1))),
    )
    if (last.qty === 0) kept.pop()
  }
  return kept.length === 0 ? null : kept
}

/** The price that the service reported with PRICE_CHANGED; null for other rejections. */
export const changedPriceOf = ({ code, details }: Problem): Cents | null =>
  code === 'PRICE_CHANGED' ? centsOf(details?.['currentPrice']) : null

/** The units of a line's product in the other lines, which share its stock (Decision 14). */
const unitsBeside = (line: ComposedLine, lines: readonly ComposedLine[]): number =>
  lines
    .filter((each) => each !== line && each.productId === line.productId)
    .reduce((sum, { qty }) => sum + qty, 0)

const closing: NextStep = { kind: 'close', label: 'Close' }

/** The line of an order with these lines that the service named; null if it named none. */
function refusedLineOf(problem: Problem, lines: readonly ComposedLine[]): ComposedLine | null {
  const at = rejectedLineOf(
    problem,
    lines.map(({ productId, maxCents }) => ({ productId, maxUnitCents: maxCents ?? ZERO })),
  )
  return at === null ? null : (lines[at] ?? null)
}

/**
 * The most helpful next step after each error code of the service (Partner API, Errors).
 *
 * @param line The line that the service named, if it is still in the order; null if not.
 */
export function nextStep(
  problem: Problem,
  lines: readonly ComposedLine[],
  spent24hCents: Cents,
  line: ComposedLine | null = refusedLineOf(problem, lines),
): NextStep {
  const details = problem.details ?? {}
  const others = (productId: string): BasketLine[] =>
    lines.filter((each) => each.productId !== productId).map(toBasketLine)
  switch (problem.code) {
    case 'PRICE_CHANGED': {
      const price = changedPriceOf(problem)
      return line === null || price === null
        ? closing
        : {
            kind: 'lines',
            label: `Raise the maximum to ${formatCents(price)} each`,
            lines: lines.map((each) =>
              each.productId === line.productId && (each.maxCents ?? ZERO) < price
                ? { ...toBasketLine(each), maxCents: price, seenCents: price }
                : toBasketLine(each),
            ),
          }
    }
    case 'OUT_OF_STOCK': {
      if (line === null) return closing
      const stock = line.product?.inStock === false ? 0 : (line.product?.qty ?? null)
      const left = Math.min(
        line.qty - 1,
        stock === null ? line.qty - 1 : stock - unitsBeside(line, lines),
      )
      if (left >= 1)
        return {
          kind: 'lines',
          label: `Lower to ${left}`,
          lines: lines.map((each) =>
            each === line ? { ...toBasketLine(each), qty: left } : toBasketLine(each),
          ),
        }
      return {
        kind: 'lines',
        label: 'Remove from order',
        lines:
          stock === 0
            ? others(line.productId)
            : lines.filter((each) => each !== line).map(toBasketLine),
      }
    }
    case 'PRODUCT_UNAVAILABLE':
      return line === null
        ? closing
        : { kind: 'lines', label: 'Remove from order', lines: others(line.productId) }
    case 'DUPLICATE_EXTERNAL_ID': {
      const orderId = text(details['orderId'])
      return orderId === null
        ? { kind: 'new-reference', label: 'Use another reference' }
        : { kind: 'open-order', label: 'Open that order', orderId }
    }
    case 'ORDER_LIMIT_EXCEEDED':
    case 'DAILY_LIMIT_EXCEEDED': {
      const limit = centsOf(details['limit'])
      const fits =
        limit === null
          ? null
          : fitTo(
              lines,
              problem.code === 'DAILY_LIMIT_EXCEEDED' ? subtractCents(limit, spent24hCents) : limit,
            )
      return fits === null ? closing : { kind: 'lines', label: 'Lower to the limit', lines: fits }
    }
    case 'INSUFFICIENT_BALANCE':
      return { kind: 'balance', label: 'How to top up' }
    case 'RATE_LIMITED':
      return { kind: 'again', label: 'Order again', afterMs: problem.retryAfterMs ?? 1000 }
    case 'SERVICE_UNAVAILABLE':
      return { kind: 'again', label: 'Order again', afterMs: problem.retryAfterMs ?? 5000 }
    case 'OFFLINE':
    case 'NEVER_ARRIVED':
      return { kind: 'again', label: 'Order again', afterMs: 0 }
    case 'IDEMPOTENCY_CONFLICT':
      return { kind: 'again', label: 'Order with a new key', afterMs: 0 }
    case 'UNAUTHORIZED':
    case 'ACCOUNT_NOT_ACTIVE':
    case 'IP_NOT_ALLOWED':
    case 'INSUFFICIENT_SCOPE':
    case 'KEY_MISSING':
      return { kind: 'account', label: 'View account' }
    case 'IDEMPOTENCY_IN_PROGRESS':
    case 'INTERNAL_ERROR':
    case 'ATTEMPT_OPEN':
      return { kind: 'look', label: 'View orders' }
    default:
      return closing
  }
}
