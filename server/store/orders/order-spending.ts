import type { Database } from 'better-sqlite3'
import type { Mode } from '../../api/schemas/enums.ts'
import type { OrderRepository } from '../../domain/ports/ordering/orders.ts'

type Account = { partnerId: string; mode: Mode }

/**
 * What an account spent, from running totals. Each order stores the sum of all earlier ones, so the
 * sum over any window is a difference of two rows, however many orders it contains.
 */
export function createSpending(
  database: Database,
): Pick<OrderRepository, 'spending' | 'spentUpTo' | 'refundedSince'> {
  const spentUpTo = database
    .prepare<Account & { at: number }, number>(
      `
    SELECT spent_before + total FROM orders
    WHERE partner_id = @partnerId AND mode = @mode AND created_at <= @at
    ORDER BY created_at DESC, no DESC LIMIT 1`,
    )
    .pluck()
  const spending = database.prepare<Account, { lastAt: number; spent: number }>(`
    SELECT created_at AS lastAt, spent_before + total AS spent FROM orders
    WHERE partner_id = @partnerId AND mode = @mode
    ORDER BY created_at DESC, no DESC LIMIT 1`)
  const refundedSince = database
    .prepare<Account & { after: number }, number>(
      `
    SELECT coalesce(sum(refunded), 0) FROM orders INDEXED BY orders_refunded
    WHERE partner_id = @partnerId AND mode = @mode AND created_at > @after AND refunded > 0`,
    )
    .pluck()

  return {
    spending: (partnerId, mode) => spending.get({ partnerId, mode }) ?? { lastAt: 0, spent: 0 },
    spentUpTo: (partnerId, mode, at) => spentUpTo.get({ partnerId, mode, at }) ?? 0,
    refundedSince: (partnerId, mode, after) => refundedSince.get({ partnerId, mode, after }) ?? 0,
  }
}
