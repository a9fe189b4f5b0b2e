import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../server/api/money.ts'
import type { Contract } from '../../contract/index.ts'
import type { SaleRow } from '../../contract/sales.ts'
import type { ConnectionFacts, CoreContext } from '../context.ts'
import { failure } from '../failure.ts'
import { defineFeature } from '../lifecycle/lifecycle.ts'
import type { Scope } from '../lifecycle/lifecycle.ts'
import { pollSellers } from '../polling/polling.ts'
import { profitBetween } from './costs/profit.ts'
import { earningsBetween, pendingSums, releasesBetween } from './earnings/earnings.ts'
import { listSales, positionOfSale, saleRows } from './list/list.ts'
import type { SaleQuery } from './list/list.ts'
import { pollSales } from './sync/poll.ts'
import { textParts } from '../text-parts.ts'
import { salesCsv } from './list/csv.ts'
import { salesSchema } from './schema.ts'
import { saleStore } from './store.ts'
import type { SaleDispute, SaleStore } from './store.ts'

export { earnedByOffer, soldByDay, unitsSoldByOffer } from './earnings/by-offer.ts'
export { salesSchema } from './schema.ts'
export {
  disputableUnits,
  keyOfSale,
  salesOfKey,
  soldKeysAfter,
  countSoldKeys,
  countSoldSince,
} from './sold-keys.ts'
export type { SoldKey } from './sold-keys.ts'
export type { SaleDispute } from './store.ts'

type SalesContext = Pick<
  CoreContext,
  | 'clock'
  | 'random'
  | 'changes'
  | 'accounts'
  | 'vault'
  | 'mirrors'
  | 'settings'
  | 'attention'
  | 'connection'
  | 'report'
>

type Inputs = InferContractRouterInputs<Contract['sales']>
type Outputs = InferContractRouterOutputs<Contract['sales']>

/**
 * Records the state of a dispute about a sale; returns whether it is new, and schedules the sale to
 * be read again if so. Call it inside a transaction of the mirror.
 */
export const recordDispute = (db: Database, dispute: SaleDispute, now: number): boolean =>
  saleStore(db).recordDispute(dispute, now)

/**
 * Removes a dispute that the service no longer has; returns the id of its sale, which is scheduled
 * to be read again, or null. Call it inside a transaction of the mirror.
 */
export const forgetDispute = (db: Database, disputeId: string, now: number): string | null =>
  saleStore(db).forgetDispute(disputeId, now)

/** Reads what customers paid for sales; null if a sale isn't mirrored. */
export const customerPayments =
  (db: Database) =>
  (saleId: string): Cents | null =>
    saleStore(db).find(saleId)?.customer_cents ?? null

/** A mirrored sale; null if it isn't mirrored. */
export function saleOf(db: Database, saleId: string): SaleRow | null {
  const record = saleStore(db).find(saleId)
  return record === undefined ? null : (saleRows(db, [record])[0] ?? null)
}

const chosenBy = ({
  view = 'all',
  query = '',
  from = null,
  to = null,
  offerId = null,
  productId = null,
  sort = { column: 'sold', direction: 'desc' },
}: Omit<Inputs['export'], 'accountId' | 'form'>): Omit<SaleQuery, 'offset' | 'limit'> => ({
  view,
  query,
  from,
  to,
  offerId,
  productId,
  sort,
})

/** Sales of seller accounts, with their earnings and releases. */
function createSales(context: SalesContext, _needs: unknown, scope: Scope) {
  /**
   * Sales are mirrored also while the vault is locked; the fingerprints of their keys are then
   * added by a later reading.
   */
  const fingerprint = (keySha256: string): Buffer | null => {
    try {
      return /^[0-9a-f]{64}$/.test(keySha256)
        ? context.vault.fingerprint(Buffer.from(keySha256, 'hex'))
        : null
    } catch {
      return null
    }
  }
  const { of: storeOf, syncNow } = pollSellers<SaleStore>(context, scope, {
    topic: 'sales',
    otherRole: ['Partner accounts don’t have sales.', 'Choose a seller account.'],
    open: ({ accountId }) => saleStore(context.mirrors.database(accountId)),
    async read(store, accountId, connection, signal) {
      const changed = await pollSales({
        store,
        connection,
        signal,
        now: () => context.clock.now(),
        serviceNow: () => context.accounts.serviceNow(accountId),
        fingerprint,
      })
      if (changed) context.changes.notify('sales', accountId)
      return changed
    },
  })
  const viewed = (accountId: string): SaleStore => {
    const store = storeOf(accountId)
    context.attention.markViewed(accountId, 'sales')
    return store
  }

  return {
    list({ accountId, window, ...choice }: Inputs['list']): Outputs['list'] {
      const store = viewed(accountId)
      const found = listSales(store.db, {
        ...chosenBy(choice),
        offset: window?.offset ?? 0,
        limit: window?.limit ?? 100,
      })
      return { ...found, complete: store.listing().complete, readAt: store.readAt() }
    },
    async export({ accountId, form = 'csv', ...choice }: Inputs['export']) {
      const { parts, sales } = await salesCsv(viewed(accountId).db, chosenBy(choice), form)
      const day = new Date(context.accounts.serviceNow(accountId)).toISOString().slice(0, 10)
      return textParts({ fileName: `sales-${day}.csv`, sales }, parts)
    },
    position: async ({
      accountId,
      saleId,
      ...choice
    }: Inputs['position']): Promise<Outputs['position']> => ({
      index: await positionOfSale(viewed(accountId).db, chosenBy(choice), saleId),
    }),
    sale({ accountId, saleId }: Inputs['sale']): SaleRow {
      const sale = saleOf(viewed(accountId).db, saleId)
      if (sale === null)
        throw failure(
          'NOT_FOUND',
          'Sale not found on this computer.',
          'Sync, or check the sales list.',
        )
      return sale
    },
    async earned({
      accountId,
      edges,
      offerId = null,
      products = 20,
    }: Inputs['earned']): Promise<Outputs['earned']> {
      if (edges.some((edge, at) => at > 0 && edge <= (edges[at - 1] ?? 0)))
        throw failure('INVALID_INPUT', 'The days aren’t in order.', 'Choose another period.')
      return earningsBetween(viewed(accountId).db, { edges, offerId, products })
    },
    profit: (
      { accountId, from, to, offerId = null }: Inputs['profit'],
      signal?: AbortSignal,
    ): Promise<Outputs['profit']> =>
      profitBetween(viewed(accountId).db, { from, to, offerId }, { signal }),
    pending: ({ accountId }: Inputs['pending']): Outputs['pending'] =>
      pendingSums(viewed(accountId).db),
    releases: ({ accountId, from, to, products = 4 }: Inputs['releases']): Outputs['releases'] =>
      releasesBetween(viewed(accountId).db, { from, to, products }),
    syncNow,
    facts(accountId: string): ConnectionFacts {
      const store = storeOf(accountId)
      return { synced: { sales: store.readAt() }, counts: { sales: store.count() } }
    },
  }
}
export type Sales = ReturnType<typeof createSales>

export const salesFeature = defineFeature({
  name: 'sales',
  schemas: [salesSchema],
  start: createSales,
  facts: (sales, { id, role }) => (role === 'seller' ? sales.facts(id) : {}),
})
