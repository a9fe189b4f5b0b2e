/** Top-ups, e-mails and ledgers of partners on the dashboard interface. */
import { z } from 'zod'
import { euroAmountBetween, MAX_CENTS } from '../money.ts'
import { amount, dateTime, namedEnvelope, resource, closedList } from '../schemas/resource.ts'
import { oneOf } from '../schemas/values.ts'
import { ledgerEntryTypes, modes } from '../schemas/enums.ts'
import { pageQuery } from '../schemas/paging.ts'

export const topUpReferenceRequest = z.object({ mode: oneOf(modes) })
export const topUpReference = resource({ reference: z.string() })

/** Records that the bank transfer has arrived. Without `reference`, the service creates one. */
export const topUpRequest = z.object({
  mode: oneOf(modes),
  amount: euroAmountBetween(1, MAX_CENTS),
  reference: z.string().trim().min(1, 'must not be empty').max(140).optional(),
})
export const topUp = resource({ id: z.string(), reference: z.string(), amount, balance: amount })

export const testBalanceReset = z.object({ amount: euroAmountBetween(0, MAX_CENTS) })
export const resetBalance = resource({ balance: amount })

export const emailPage = namedEnvelope(
  resource({ to: z.string(), subject: z.string(), text: z.string(), at: dateTime }),
)

export const ledgerQuery = pageQuery.extend({ mode: oneOf(modes).optional() })
export const ledgerPage = namedEnvelope(
  resource(
    {
      id: z.string(),
      type: closedList(ledgerEntryTypes),
      /** Signed: the change to the balance. */
      amount,
      balanceAfter: amount,
      orderId: z.string().nullable(),
      createdAt: dateTime,
    },
    { mode: closedList(modes) },
  ),
)

/**
 * Result of the full ledger check: chain of hashes unbroken, totals zero, balances equal. `sums` by
 * mode, in EUR.
 */
export const ledgerProof = resource({
  ok: z.boolean(),
  entries: z.int(),
  headHash: z.string(),
  sums: resource({ live: amount, test: amount }),
})
