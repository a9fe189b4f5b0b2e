import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import {
  averageCents,
  cents as centsOf,
  plainEuros,
  subtractCents,
} from '../../../server/api/money.ts'
import type { Contract } from '../../contract/index.ts'
import { localized } from '../../contract/localization/localized.ts'
import { csvText } from '../../contract/csv.ts'
import type { CoreContext } from '../context.ts'
import { failure } from '../failure.ts'
import { createAccountScopes, defineFeature } from '../lifecycle/lifecycle.ts'
import type { Scope } from '../lifecycle/lifecycle.ts'
import type { FeatureSchema } from '../mirror/schema.ts'
import type { OrdersAccess } from '../orders/orders.ts'
import type { Dashboard } from '../sandbox/sandbox.ts'
import { instantOf } from '../mirror/mirror.ts'
import { createSpendingStore } from './store.ts'
import type { SpendingStore } from './store.ts'
import { computeTotals } from './totals.ts'
import { localEntry } from '../local-entry.ts'

type SpendingContext = Pick<
  CoreContext,
  'changes' | 'accounts' | 'mirrors' | 'activity' | 'notices' | 'attention'
>

/**
 * Readings of a partner's balance, of which the service reports only the current value, and the
 * low-balance limit.
 */
const spendingSchema: FeatureSchema = {
  feature: 'spending',
  place: 'journal',
  steps: [
    `
    CREATE TABLE partner_balances (at INTEGER PRIMARY KEY, cents INTEGER NOT NULL) STRICT;
    CREATE TABLE balance_warning (one INTEGER PRIMARY KEY CHECK (one = 1), low_cents INTEGER,
      warned INTEGER NOT NULL DEFAULT 0) STRICT;
    INSERT INTO balance_warning (one) VALUES (1);
  `,
  ],
}

type Inputs = InferContractRouterInputs<Contract['spending']>
type Outputs = InferContractRouterOutputs<Contract['spending']>

const dayMs = 24 * 3600 * 1000
const maxReadings = 400

/** A partner's spending and balance. */
function createSpending(
  context: SpendingContext,
  {
    orders: { access: orders },
    dashboard,
  }: { orders: { access: OrdersAccess }; dashboard: Dashboard },
  scope: Scope,
) {
  const { of: storeOf } = createAccountScopes<SpendingStore>(context, scope, {
    role: 'partner',
    otherRole: ['A seller account has no spending.', 'Choose a partner account.'],
    open: ({ accountId }) => createSpendingStore(context.mirrors.database(accountId)),
  })
  const tellsLedger = (accountId: string): boolean =>
    dashboard.serves(context.accounts.get(accountId).baseUrl)
  const partnerIdOf = (accountId: string): { id: string; mode: 'live' | 'test' } => {
    const { serviceAccountId, maskedKey } = context.accounts.get(accountId)
    if (!tellsLedger(accountId) || serviceAccountId === null)
      throw failure(
        'SANDBOX_STOPPED',
        'Only the sandbox on this computer can do this.',
        'Start the sandbox in Settings.',
        { effect: 'No money moved.' },
      )
    return { id: serviceAccountId, mode: maskedKey.startsWith('svc_test_') ? 'test' : 'live' }
  }

  scope.each(context.changes.listen(scope.signal), ({ topic, accountId }) => {
    if (
      topic === 'balance' &&
      context.accounts.list().some(({ id, role }) => id === accountId && role === 'partner')
    )
      recordReading(accountId ?? '')
  })

  /** Stores a balance reading, and records once that the balance became low. */
  function recordReading(accountId: string): void {
    const balance = orders.balance(accountId)
    if (balance === null) return
    const store = storeOf(accountId)
    store.keep(context.accounts.serviceNow(accountId), balance.cents)
    const { lowCents, warned } = store.warning()
    const low = lowCents !== null && balance.cents < lowCents
    if (low === warned) return
    if (!low) return store.setWarned(false)
    context.notices.notify({
      accountId,
      kind: 'balance-low',
      title: localized('balance.low-amount', { balance: balance.cents }),
      text: localized('balance.low-effect', { limit: lowCents }),
      path: '/balance',
    })
    // Only now: if the notice can't be stored, the next reading repeats it.
    store.setWarned(true)
    context.activity.add(
      localEntry({
        accountId,
        what: localized('balance.low'),
        detail: localized('balance.below', { balance: balance.cents, limit: lowCents }),
      }),
    )
  }

  function spent({ accountId, from, to }: Inputs['spent']): Outputs['spent'] {
    storeOf(accountId)
    const totals = computeTotals(orders.linesBetween(accountId, from, to))
    return {
      ...totals,
      products: orders.withVariants(accountId, totals.products),
      complete: orders.isComplete(accountId),
    }
  }

  return {
    balance({ accountId }: Inputs['balance']): Outputs['balance'] {
      context.attention.markViewed(accountId, 'orders')
      const store = storeOf(accountId)
      const balance = orders.balance(accountId)
      const { lowCents } = store.warning()
      const now = context.accounts.serviceNow(accountId)
      const week = computeTotals(orders.linesBetween(accountId, now - 7 * dayMs, now + dayMs))
      return {
        balanceCents: balance?.cents ?? null,
        readAt: balance?.at ?? null,
        lowCents,
        low: balance !== null && lowCents !== null && balance.cents < lowCents,
        dailyCents:
          week.orders === 0
            ? null
            : averageCents(subtractCents(week.chargedCents, week.refundedCents), 7),
        readings: store.readings(maxReadings),
        tellsLedger: tellsLedger(accountId),
      }
    },
    setLow({ accountId, lowCents }: Inputs['setLow']): void {
      storeOf(accountId).setLow(lowCents)
      recordReading(accountId)
      context.changes.notify('balance', accountId)
    },
    spent,
    news({ accountId, since }: Inputs['news']): Outputs['news'] {
      storeOf(accountId)
      return orders.newsSince(accountId, since)
    },
    async ledger({ accountId, page }: Inputs['ledger']): Promise<Outputs['ledger']> {
      const { id, mode } = partnerIdOf(accountId)
      const answer = await dashboard.call('listPartnerLedger', {
        params: { id },
        query: { mode, page: page ?? 1, limit: 50 },
      })
      return {
        total: answer.total,
        movements: answer.results.map((entry) => ({
          id: entry.id,
          type: entry.type,
          cents: entry.amount,
          afterCents: entry.balanceAfter,
          orderId: entry.orderId,
          externalId:
            entry.orderId === null
              ? null
              : (orders.order(accountId, entry.orderId)?.row.externalId ?? null),
          at: instantOf(entry.createdAt) ?? 0,
        })),
      }
    },
    export(input: Inputs['export']): Outputs['export'] {
      const { days, products } = spent(input)
      const text = csvText([
        ['Day (UTC)', 'Orders', 'Units', 'Charged EUR', 'Credited back EUR'],
        ...days.map((day) => [
          day.date,
          day.orders,
          day.units,
          plainEuros(day.chargedCents),
          plainEuros(day.refundedCents),
        ]),
        [],
        ['Product id', 'Product', 'Platform', 'Region', 'Delivery', 'Orders', 'Units', 'Paid EUR'],
        ...products.map((each) => [
          each.productId,
          each.name,
          each.platform,
          each.region,
          each.deliveryType,
          each.orders,
          each.units,
          plainEuros(each.cents),
        ]),
      ])
      return {
        fileName:
          `spending-${new Date(input.from).toISOString().slice(0, 10)}-to-` +
          `${new Date(input.to - 1).toISOString().slice(0, 10)}.csv`,
        base64: Buffer.from(text).toString('base64'),
      }
    },
    async topUp({ accountId, cents }: Inputs['topUp']): Promise<Outputs['topUp']> {
      const { id, mode } = partnerIdOf(accountId)
      // Create the reference first: a transfer with a used one is rejected, so that a lost response
      // can't top up twice.
      const { reference } = await dashboard.call('createTopUpReference', {
        params: { id },
        body: { mode },
      })
      const { balance } = await dashboard.call('createTopUp', {
        params: { id },
        body: { mode, amount: centsOf(cents), reference },
      })
      await orders.readBalance(accountId).catch(() => {})
      return { reference, balanceCents: balance }
    },
  }
}
export type Spending = ReturnType<typeof createSpending>

export const spendingFeature = defineFeature({
  name: 'spending',
  schemas: [spendingSchema],
  start: createSpending,
})
