import type { Contract } from '../../contract/index.ts'
import type { BulkOrder, KeptKey, OrderAttempt, OrderDetail } from '../../contract/orders.ts'
import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import { failure } from '../failure.ts'
import type { CoreContext } from '../context.ts'
import type { Rounds } from '../mirror/mirror.ts'
import { createAttempts } from './attempts.ts'
import { createBulkStore } from './bulk-store.ts'
import type { BulkStore } from './bulk-store.ts'
import { createBulks } from './bulk.ts'
import { createKeyDesk } from './key-desk.ts'
import type { ClaimWords } from './key-desk.ts'
import { claimWindowMs, createKeyStore } from './key-store.ts'
import type { KeyStore } from './key-store.ts'
import { knownLimits } from './known-limits.ts'
import { readLines } from './lines-table.ts'
import { createLivePrices } from './live-prices.ts'
import { keepOrders, refreshBalance } from './order-sync.ts'
import type { OrderableProducts } from './orderable.ts'
import { ordersTable } from './orders-csv.ts'
import { createOrderStore } from './store.ts'
import type { AttemptRecord, OrderQuery, OrderStore } from './store.ts'

export { ordersSchemas } from './schema.ts'

type Inputs = InferContractRouterInputs<Contract['orders']>
type Outputs = InferContractRouterOutputs<Contract['orders']>

const dayMs = 24 * 3600 * 1000

/**
 * The proposed highest unit price: today's price plus 1 %, at least one cent more, in integer
 * cents.
 */
export const proposedMax = (priceCents: number): number =>
  Math.max(priceCents + 1, Math.round(priceCents * 1.01))

/** Maximum number of orders in one exported file. */
const mostExported = 200_000

/** A partner account's orders: placed once, stored with their keys, readable offline. */
export function createOrders(context: CoreContext, products: OrderableProducts) {
  const stores = new Map<string, { orders: OrderStore; keys: KeyStore; bulks: BulkStore }>()
  const storesOf = (accountId: string) => {
    if (context.accounts.get(accountId).role !== 'partner')
      throw failure('NOT_FOUND', 'A seller account has no orders.', 'Choose a partner account.')
    const known = stores.get(accountId)
    if (known !== undefined) return known
    const database = context.mirrors.database(accountId)
    const made = {
      orders: createOrderStore(database),
      keys: createKeyStore(database),
      bulks: createBulkStore(database),
    }
    stores.set(accountId, made)
    return made
  }
  const storeOf = (accountId: string): OrderStore => storesOf(accountId).orders
  let claimWords: ClaimWords = () => new Map()
  /** Reads in progress, by account: they must finish before the account's files are closed. */
  const readings = new Map<Promise<unknown>, string>()
  const track = <T>(accountId: string, work: Promise<T>): Promise<T> => {
    const tracked = work.finally(() => readings.delete(tracked))
    readings.set(tracked, accountId)
    return tracked
  }
  const attempts = createAttempts(context, storeOf)
  const livePrices = createLivePrices(context)
  const keyDesk = createKeyDesk({
    context,
    storeOf,
    keysOf: (accountId) => storesOf(accountId).keys,
    products,
    claims: (accountId) => claimWords(accountId),
  })
  const bulks = createBulks({
    context,
    storeOf: (accountId) => storesOf(accountId).bulks,
    attempts,
    track,
    transaction: (accountId, work) => storeOf(accountId).transaction(work),
  })
  const running = new Set<Promise<void>>()
  const rounds = new Map<string, Rounds>()
  context.accounts.onSyncNow((accountId) => void rounds.get(accountId)?.now())
  context.accounts.onReady((account, signal) => {
    if (account.role !== 'partner') return
    const work = keepOrders(
      context,
      account.id,
      storeOf(account.id),
      attempts,
      signal,
      (reading) => track(account.id, reading),
      (begun) => rounds.set(account.id, begun),
    ).finally(() => running.delete(work))
    running.add(work)
    bulks.begin(account.id, signal)
  })
  context.accounts.onRelease(async (accountId) => {
    bulks.release(accountId)
    rounds.delete(accountId)
    await Promise.allSettled(
      [...readings].filter(([, of]) => of === accountId).map(([work]) => work),
    )
    stores.delete(accountId)
  })

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
    return {
      ...known.row,
      items: known.items,
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
          : known.row.completedAt + claimWindowMs,
      attempt: attempt === null ? null : shown(attempt),
      readAt: known.readAt,
      requestId: attempt?.problem?.requestId ?? null,
    }
  }

  return {
    list({ accountId, window, ...query }: Inputs['list']): Outputs['list'] {
      context.attention.markViewed(accountId, 'orders')
      const store = storeOf(accountId)
      return {
        ...store.list({
          ...queryOf(query),
          offset: window?.offset ?? 0,
          limit: window?.limit ?? 100,
        }),
        complete: store.history().complete,
      }
    },
    exportList({ accountId, ...query }: Inputs['exportList']): Outputs['exportList'] {
      const store = storeOf(accountId)
      const { rows } = store.list({ ...queryOf(query), offset: 0, limit: mostExported })
      const lines = store.linesOf(rows.map(({ orderId }) => orderId))
      return {
        fileName: `orders ${new Date(context.clock.now()).toISOString().slice(0, 10)}.csv`,
        base64: Buffer.from(
          ordersTable(rows.map((row) => ({ row, items: lines.get(row.orderId) ?? [] }))),
        ).toString('base64'),
      }
    },
    order: ({ accountId, orderId }: Inputs['order']): OrderDetail => detail(accountId, orderId),
    async quote({ accountId, productIds }: Inputs['quote']): Promise<Outputs['quote']> {
      const store = storeOf(accountId)
      const live = await livePrices.of(accountId, productIds)
      const now = context.clock.now()
      const spent24hCents = store.spentSince(now - dayMs)
      return {
        lines: products(accountId, productIds).flatMap((known) => {
          if (known === null) return []
          const product = { ...known, ...live.get(known.productId) }
          const priceCents = product.priceCents === 0 ? null : product.priceCents
          const { activationDetails: _texts, ...quoted } = product
          return [
            {
              ...quoted,
              priceCents,
              proposedMaxCents: priceCents === null ? null : proposedMax(priceCents),
            },
          ]
        }),
        balanceCents: store.history().balance?.cents ?? null,
        proposedExternalId: externalIds(store, now).next().value,
        spent24hCents,
        limits: knownLimits(context.mirrors.database(accountId), spent24hCents),
      }
    },
    async place({
      accountId,
      externalId,
      lines,
      waitSeconds = 25,
    }: Inputs['place']): Promise<OrderAttempt> {
      const names = products(
        accountId,
        lines.map((line) => line.productId),
      )
      const attempt = await attempts.place(accountId, {
        externalId,
        waitSeconds,
        lines: lines.map((line, index) => ({
          ...line,
          name: names[index]?.name ?? line.productId,
        })),
      })
      if (attempt.state === 'placed') {
        // The order is placed. If its balance can't be read now, the next sync reads it.
        await refreshBalance(context, accountId, storeOf(accountId)).catch(() => {})
      }
      return shown(attempt)
    },
    attempts: ({ accountId }: Inputs['attempts']): OrderAttempt[] =>
      storeOf(accountId).recentAttempts().map(shown),
    settle: async ({ accountId, attemptId }: Inputs['settle']): Promise<OrderAttempt> =>
      shown(await attempts.settle(accountId, attemptId)),
    async downloadKeys({ accountId, orderId }: Inputs['downloadKeys']): Promise<OrderDetail> {
      detail(accountId, orderId)
      await keyDesk.download(accountId, orderId)
      return detail(accountId, orderId)
    },
    revealKey: keyDesk.reveal,
    keysText: keyDesk.text,
    exportKeys: keyDesk.exportKeys,
    keys: keyDesk.list,
    readTable({ accountId, text }: Inputs['readTable']): Outputs['readTable'] {
      const store = storeOf(accountId)
      const next = externalIds(store, context.clock.now())
      const { orders, problems } = readLines(text, {
        product: (productId) => products(accountId, [productId])[0] ?? null,
        proposedMax,
        isUsed: store.isUsed,
        nextReference: () => next.next().value,
      })
      return {
        orders,
        problems,
        atMostCents: orders
          .filter((order) => order.problems.length === 0)
          .reduce((sum, order) => sum + order.atMostCents, 0),
        balanceCents: store.history().balance?.cents ?? null,
      }
    },
    placeMany({ accountId, name, orders }: Inputs['placeMany']): BulkOrder {
      const ids = [
        ...new Set(orders.flatMap(({ lines }) => lines.map(({ productId }) => productId))),
      ]
      const names = new Map(
        products(accountId, ids).flatMap((product) =>
          product === null ? [] : [[product.productId, product.name]],
        ),
      )
      const drafts = orders.map(({ externalId, lines }) => ({
        externalId,
        lines: lines.map((line) => ({
          ...line,
          name: names.get(line.productId) ?? line.productId,
        })),
      }))
      return bulks.place(accountId, name, drafts, storeOf(accountId).isUsed)
    },
    bulks: ({ accountId }: Inputs['bulks']): Outputs['bulks'] => bulks.bulks(accountId),
    bulk: ({ accountId, bulkId }: Inputs['bulk']): BulkOrder => bulks.bulk(accountId, bulkId),
    actOnBulk: ({ accountId, bulkId, action }: Inputs['actOnBulk']): BulkOrder =>
      bulks.act(accountId, bulkId, action),
    /** Functions that other features use with a partner's orders. */
    desk: {
      order: (accountId: string, orderId: string) => storeOf(accountId).order(orderId),
      keysOf: (accountId: string, orderId: string): KeptKey[] =>
        storesOf(accountId).keys.ofOrder(orderId),
      balance: (accountId: string): { cents: number; at: number } | null =>
        storeOf(accountId).history().balance,
      isComplete: (accountId: string): boolean => storeOf(accountId).history().complete,
      readBalance: (accountId: string): Promise<boolean> =>
        refreshBalance(context, accountId, storeOf(accountId)),
      /** Charged and credited lines of a period, for totals. */
      linesBetween: (accountId: string, from: number, to: number) =>
        storeOf(accountId).linesBetween(from, to),
      /** Returns how many keys are new. The first download of an order always requires a person. */
      fetchKeysAgain: async (accountId: string, orderId: string): Promise<number> =>
        storesOf(accountId).keys.ofOrder(orderId).length === 0
          ? 0
          : keyDesk.download(accountId, orderId),
      tellClaims: (words: ClaimWords): void => {
        claimWords = words
      },
    },
    /** For the status bar: the last balance read, and the number of orders in the mirror. */
    summary: (
      accountId: string,
    ): { balance: { cents: number; at: number } | null; orders: number } => {
      const store = storeOf(accountId)
      return { balance: store.history().balance, orders: store.count() }
    },
    /** Resolves when the background work has stopped (the account registry aborts its signals). */
    close: async (): Promise<void> => {
      await Promise.allSettled([...running, ...readings.keys(), bulks.close()])
    },
  }
}
export type Orders = ReturnType<typeof createOrders>

/**
 * `KD-20261121-0007`: the day in UTC and an increasing number that no order or open attempt on this
 * computer uses.
 */
function* externalIds(store: OrderStore, now: number): Generator<string, never> {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '')
  for (let number = 1; ; number++) {
    const externalId = `KD-${day}-${String(number).padStart(4, '0')}`
    if (!store.isUsed(externalId)) yield externalId
  }
}

const queryOf = ({
  statuses,
  query,
  from,
  to,
  refunded,
  sort,
}: Omit<Inputs['exportList'], 'accountId'>): Omit<OrderQuery, 'offset' | 'limit'> => ({
  statuses: statuses ?? [],
  query: query ?? '',
  from: from ?? null,
  to: to ?? null,
  refunded: refunded ?? false,
  sort: sort ?? { column: 'created', direction: 'desc' },
})

/** An attempt for the screen: without its Idempotency-Key. */
function shown(attempt: AttemptRecord): OrderAttempt {
  const { idempotencyKey: _kept, waitSeconds: _asked, ...told } = attempt
  return told
}
