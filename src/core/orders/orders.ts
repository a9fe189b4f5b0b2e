import type { Contract } from '../../contract/index.ts'
import { MAX_SELECTED_KEYS } from '../../contract/orders.ts'
import type { BulkOrder, OrderDetail, OrderRow } from '../../contract/order-records.ts'
import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import { failure } from '../failure.ts'
import type { ConnectionFacts } from '../context.ts'
import { createAccountScopes, defineFeature } from '../lifecycle/lifecycle.ts'
import type { AccountScope, Scope } from '../lifecycle/lifecycle.ts'
import type { PollLoop } from '../mirror/mirror.ts'
import { createOrdersAccess } from './access.ts'
import type { OrdersContext } from './context.ts'
import { createAttempts } from './place/attempts.ts'
import { createBulkStore } from './bulk/bulk-store.ts'
import type { BulkStore } from './bulk/bulk-store.ts'
import { createBulkOrders } from './bulk/bulk.ts'
import { createBulkResults } from './bulk/bulk-results.ts'
import { createKeyService } from './keys/key-service.ts'
import type { ClaimLabels } from './keys/key-service.ts'
import { createKeyStore } from './keys/key-store.ts'
import type { KeyStore } from './keys/key-store.ts'
import { lookUpOrder, refreshBalance, startOrderSync } from './sync/order-sync.ts'
import type { OrderableProducts } from './place/orderable-products.ts'
import { ordersToCsv } from './orders-csv.ts'
import { createLivePrices } from './place/live-prices.ts'
import { createPlacing, toOrderAttempt } from './place/placing.ts'
import { createReleases } from './release.ts'
import { ordersSchemas } from './schema.ts'
import { createOrderStore } from './store.ts'
import type { OrderQuery, OrderStore, StoredOrder } from './store.ts'
import { claimUntilOf } from '../../../server/api/limits.ts'
import { variantReader, withVariants } from './variants.ts'

export { ordersSchemas } from './schema.ts'
export type { OrdersAccess } from './access.ts'

type Inputs = InferContractRouterInputs<Contract['orders']>
type Outputs = InferContractRouterOutputs<Contract['orders']>

/** Maximum number of orders in one exported file. */
const maxExported = 200_000

type OrderAccount = {
  orders: OrderStore
  keys: KeyStore
  bulks: BulkStore
  /** The account's background work, once it can work. */
  work: AccountScope | null
  pollLoop: PollLoop | null
}

/** A partner account's orders: placed once, stored with their keys, readable offline. */
function createOrders(
  context: OrdersContext,
  {
    catalogue: { orderable: products },
    claimRecords,
  }: {
    catalogue: { orderable: OrderableProducts }
    claimRecords: { labels: ClaimLabels }
  },
  scope: Scope,
) {
  const accounts = createAccountScopes<OrderAccount>(context, scope, {
    role: 'partner',
    otherRole: ['A seller account has no orders.', 'Choose a partner account.'],
    open({ accountId }) {
      const database = context.mirrors.database(accountId)
      return {
        orders: createOrderStore(database),
        keys: createKeyStore(database),
        bulks: createBulkStore(database),
        work: null,
        pollLoop: null,
      }
    },
    start(account, work) {
      account.work = work
      account.pollLoop = startOrderSync(context, account.orders, attempts, work, releaseOf)
      bulks.resumeAll(work.accountId)
    },
  })
  const storesOf = accounts.of
  const storeOf = (accountId: string): OrderStore => storesOf(accountId).orders
  const releaseOf = createReleases(products, storeOf)
  const livePrices = createLivePrices(context)
  const attempts = createAttempts(context, storeOf, livePrices)
  const keyService = createKeyService({
    context,
    storeOf,
    keysOf: (accountId) => storesOf(accountId).keys,
    products,
    claims: claimRecords.labels,
  })
  const bulks = createBulkOrders({
    context,
    storeOf: (accountId) => storesOf(accountId).bulks,
    workOf: (accountId) => storesOf(accountId).work,
    attempts,
    transaction: (accountId, work) => storeOf(accountId).transaction(work),
    // If the balance can't be read now, the next sync reads it.
    readBalance: async (accountId) =>
      void (await refreshBalance(context, accountId, storeOf(accountId)).catch(() => {})),
  })
  const placing = createPlacing({ context, products, attempts, bulks, livePrices, storeOf })
  context.accounts.onSyncNow((accountId) => void accounts.opened(accountId)?.pollLoop?.runNow())

  const rowsOf = (accountId: string, rows: readonly StoredOrder[]): OrderRow[] =>
    withVariants(products, accountId, rows).map(({ productId: _first, ...row }) => ({
      ...row,
      releaseAt: row.status === 'processing' ? releaseOf(accountId, row.orderId) : null,
    }))

  function detail(accountId: string, orderId: string): OrderDetail {
    const store = storeOf(accountId)
    const known = store.order(orderId)
    if (known === null)
      throw failure(
        'NOT_FOUND',
        'Order not found on this computer.',
        'Sync, or check the order list.',
      )
    const attempt = store.attemptOf(orderId)
    const items = withVariants(products, accountId, known.items)
    return {
      ...known.row,
      platform: items[0]?.platform ?? '',
      region: items[0]?.region ?? '',
      deliveryType: items[0]?.deliveryType ?? '',
      releaseAt: known.row.status === 'processing' ? releaseOf(accountId, orderId) : null,
      items,
      activation: Object.fromEntries(
        products(accountId, [...new Set(known.items.map(({ productId }) => productId))]).flatMap(
          (product) =>
            product?.activationDetails == null
              ? []
              : [[product.productId, product.activationDetails]],
        ),
      ),
      failure: known.failure,
      ...(known.firstDownloadedAt !== undefined && { firstDownloadedAt: known.firstDownloadedAt }),
      downloadedHereAt: known.downloadedHereAt,
      keys: storesOf(accountId).keys.ofOrder(orderId),
      uses: storesOf(accountId).keys.uses(orderId),
      claimUntil:
        known.row.deliveredUnits === 0 || known.row.completedAt === null
          ? null
          : claimUntilOf(known.row.completedAt),
      attempt: attempt === null ? null : toOrderAttempt(attempt),
      readAt: known.readAt,
      requestId: attempt?.problem?.requestId ?? null,
    }
  }

  return {
    list({ accountId, window, ...query }: Inputs['list']): Outputs['list'] {
      context.attention.markViewed(accountId, 'orders')
      const store = storeOf(accountId)
      const found = store.list({
        ...queryOf(query),
        offset: window?.offset ?? 0,
        limit: window?.limit ?? 100,
      })
      return {
        ...found,
        rows: rowsOf(accountId, found.rows),
        complete: store.history().complete,
      }
    },
    exportList({
      accountId,
      orderIds = null,
      ...query
    }: Inputs['exportList']): Outputs['exportList'] {
      const store = storeOf(accountId)
      // An order that was selected can leave the list before it is exported.
      const listed = queryOf(orderIds === null ? query : { sort: query.sort })
      const found = store.list({ ...listed, offset: 0, limit: maxExported })
      const chosen = orderIds === null ? null : new Set(orderIds)
      const rows = found.rows.filter(({ orderId }) => chosen === null || chosen.has(orderId))
      const lines = store.linesOf(rows.map(({ orderId }) => orderId))
      const named = variantReader(products, accountId)
      return {
        fileName: `orders-${new Date(context.accounts.serviceNow(accountId)).toISOString().slice(0, 10)}.csv`,
        base64: Buffer.from(
          ordersToCsv(
            rows.map((row) => ({
              row,
              items: named(lines.get(row.orderId) ?? []),
            })),
          ),
        ).toString('base64'),
      }
    },
    order: ({ accountId, orderId }: Inputs['order']): OrderDetail => detail(accountId, orderId),
    async lookUp({ accountId, orderId }: Inputs['lookUp']): Promise<OrderDetail> {
      const store = storeOf(accountId)
      if (store.statusOf(orderId) === undefined)
        await lookUpOrder(context, accountId, store, orderId)
      return detail(accountId, orderId)
    },
    ...placing,
    async downloadKeys({ accountId, orderId }: Inputs['downloadKeys']): Promise<OrderDetail> {
      detail(accountId, orderId)
      await keyService.download(accountId, orderId)
      return detail(accountId, orderId)
    },
    revealKey: keyService.reveal,
    keysText: keyService.text,
    exportKeys: keyService.exportKeys,
    keys: keyService.list,
    keyRefs: keyService.refs,
    describeKeys: keyService.describe,
    keysOfOrders: keyService.ofOrders,
    markHandedOver: keyService.markHandedOver,
    restoreHandedOver: keyService.restoreHandedOver,
    exportSelectedKeys: keyService.exportSelectedKeys,
    orderIds({ accountId, ...query }: Inputs['orderIds']): Outputs['orderIds'] {
      const { rows } = storeOf(accountId).list({
        ...queryOf(query),
        offset: 0,
        limit: MAX_SELECTED_KEYS,
      })
      return { orderIds: rows.map(({ orderId }) => orderId) }
    },
    bulks: ({ accountId }: Inputs['bulks']): Outputs['bulks'] => bulks.bulks(accountId),
    bulk: ({ accountId, bulkId }: Inputs['bulk']): BulkOrder => bulks.bulk(accountId, bulkId),
    ...createBulkResults({ bulks, storeOf: (accountId) => storesOf(accountId).bulks, products }),
    controlBulk: ({ accountId, bulkId, action }: Inputs['controlBulk']): BulkOrder =>
      bulks.act(accountId, bulkId, action),
    access: createOrdersAccess({
      context,
      storesOf,
      downloadKeys: keyService.download,
      products,
    }),
    /** Orders that wait to be sent, that the service processes, or whose outcome isn't known yet. */
    inProgress(accountId: string): number {
      const store = storeOf(accountId)
      const waiting = bulks
        .bulks(accountId)
        .reduce((sum, { state, counts }) => (state === 'cancelled' ? sum : sum + counts.waiting), 0)
      return waiting + store.processing().length + store.openAttempts().length
    },
    /** The orders that were sent, or are about to be, and whose outcome isn't known yet. */
    unanswered: (accountId: string): number => storeOf(accountId).openAttempts().length,
    /** For the status bar: the last balance read, and the number of orders in the mirror. */
    facts(accountId: string): ConnectionFacts {
      const store = storeOf(accountId)
      const { balance, readAt } = store.history()
      return {
        synced: { orders: readAt, balance: balance?.at ?? null },
        balance,
        counts: { orders: store.count() },
      }
    },
  }
}
export type Orders = ReturnType<typeof createOrders>

export const ordersFeature = defineFeature({
  name: 'orders',
  schemas: ordersSchemas,
  start: createOrders,
  facts: (orders, { id, role }) => (role === 'partner' ? orders.facts(id) : {}),
  duty: (orders, { id, role }) => (role === 'partner' && orders.inProgress(id) > 0 ? 'soon' : null),
  unfinished: (orders, { id, role }) =>
    role === 'partner' ? { ordersInProgress: orders.inProgress(id) } : {},
})

const queryOf = ({
  statuses,
  query,
  from,
  to,
  refunded,
  sort,
}: Omit<Inputs['exportList'], 'accountId' | 'orderIds'>): Omit<OrderQuery, 'offset' | 'limit'> => ({
  statuses: statuses ?? [],
  query: query ?? '',
  from: from ?? null,
  to: to ?? null,
  refunded: refunded ?? false,
  sort: sort ?? { column: 'created', direction: 'desc' },
})
