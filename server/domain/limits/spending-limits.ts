import { ApiError } from '../../api/errors.ts'
import { type Cents, cents, fromCents } from '../../api/money.ts'

/** Default spending limits of an account (Decision 18): per order, and within any 24 hours. */
export const defaultSpendingLimits = { perOrder: cents(250_000), daily: cents(1_000_000) } as const

/**
 * Rejects a total above the account's limit per order, then a total that raises the spend of the
 * last 24 hours (net of refunds for undelivered units) above the daily limit. Reaching a limit
 * exactly is allowed; null means no limit. `details` contains `limit` and the `total` compared with
 * it.
 */
export function checkSpendingLimits(
  account: { perOrderLimit: Cents | null; dailyLimit: Cents | null },
  total: Cents,
  spent: () => number,
): void {
  const { perOrderLimit, dailyLimit } = account
  if (perOrderLimit !== null && total > perOrderLimit) {
    throw new ApiError('ORDER_LIMIT_EXCEEDED', undefined, {
      limit: fromCents(perOrderLimit),
      total: fromCents(total),
    })
  }
  if (dailyLimit === null) return
  const day = cents(spent() + total)
  if (day > dailyLimit) {
    throw new ApiError('DAILY_LIMIT_EXCEEDED', undefined, {
      limit: fromCents(dailyLimit),
      total: fromCents(day),
    })
  }
}
