import { useQueries } from '@tanstack/react-query'
import { addCents, type Cents, subtractCents } from '../../../../../server/api/money.ts'
import { DAY_MS } from '../../../../../server/api/time.ts'
import type { Account } from '../../../../contract/app/accounts.ts'
import { useAccountNows } from '../../../lib/account/account-time.tsx'
import { api } from '../../../lib/core/rpc.ts'
import { dayEdges } from '../../../lib/days.ts'

/** The service reports every amount in euros unless a seller's balance names another currency. */
const USUAL_CURRENCY = 'EUR'

export interface SellerFigures {
  account: Account
  currency: string
  /** The start of the account's day in the person's time zone. */
  day: number
  sales: number | null
  earned: Cents | null
  available: Cents | null
  pending: Cents | null
  held: Cents | null
}

export interface PartnerFigures {
  account: Account
  currency: string
  balance: Cents | null
  orders: number | null
  paid: Cents | null
}

/** Today's figures of each seller account, each on its own service's day. */
export function useSellerFigures(accounts: readonly Account[]): SellerFigures[] {
  const nowOf = useAccountNows()
  const days = accounts.map(({ id }) => dayEdges(nowOf(id), 1))
  const earned = useQueries({
    queries: accounts.map(({ id: accountId }, at) =>
      api.sales.earned.queryOptions({
        input: { accountId, edges: days[at] ?? [], products: 0 },
      }),
    ),
  })
  const balances = useQueries({
    queries: accounts.map(({ id: accountId }) =>
      api.balance.now.queryOptions({ input: { accountId } }),
    ),
  })
  const pending = useQueries({
    queries: accounts.map(({ id: accountId }) =>
      api.sales.pending.queryOptions({ input: { accountId } }),
    ),
  })
  return accounts.map((account, at) => {
    const bar = earned[at]?.data?.bars[0]
    const balance = balances[at]?.data
    return {
      account,
      currency: balance?.currency ?? USUAL_CURRENCY,
      day: days[at]?.[0] ?? 0,
      sales: bar?.sales ?? null,
      earned:
        bar === undefined ? null : addCents(bar.releasedCents, bar.pendingCents, bar.heldCents),
      available: balance?.reading?.availableCents ?? null,
      pending: balance?.reading?.pendingCents ?? null,
      held: pending[at]?.data?.held.cents ?? null,
    }
  })
}

/** Today's figures of each partner account; days are the service's (UTC). */
export function usePartnerFigures(accounts: readonly Account[]): PartnerFigures[] {
  const nowOf = useAccountNows()
  const balances = useQueries({
    queries: accounts.map(({ id: accountId }) =>
      api.spending.balance.queryOptions({ input: { accountId } }),
    ),
  })
  const spent = useQueries({
    queries: accounts.map(({ id: accountId }) => {
      const from = Math.floor(nowOf(accountId) / DAY_MS) * DAY_MS
      return api.spending.spent.queryOptions({ input: { accountId, from, to: from + DAY_MS } })
    }),
  })
  return accounts.map((account, at) => {
    const day = spent[at]?.data
    return {
      account,
      currency: USUAL_CURRENCY,
      balance: balances[at]?.data?.balanceCents ?? null,
      orders: day?.orders ?? null,
      paid: day === undefined ? null : subtractCents(day.chargedCents, day.refundedCents),
    }
  })
}
