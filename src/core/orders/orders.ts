import type { Contract } from '../../contract/index.ts'
import type { OrderAttempt, OrderDetail } from '../../contract/orders.ts'
import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import { failure } from '../failure.ts'
import type { CoreContext } from '../context.ts'
import { createAttempts } from './attempts.ts'
import { downloadKeys, revealKey } from './delivered-keys.ts'
import { createLivePrices } from './live-prices.ts'
import { keepOrders, refreshBalance } from './order-sync.ts'
import { claimWindowMs, createOrderStore } from './store.ts'
import type { AttemptRecord, OrderStore } from './store.ts'

export { ordersSchemas } from './schema.ts'

type Inputs = InferContractRouterInputs<Contract['orders']>
type Outputs = InferContractRouterOutputs<Contract['orders']>

/** What the catalogue knows of a product that may be ordered; null for one it doesn't know. */
export type OrderableProduct = Omit<Outputs['quote']['lines'][number], 'proposedMaxCents'>
export type OrderableProducts = (accountId: string, productIds: readonly string[]) => (OrderableProduct | null)[]

const dayMs = 24 * 3600 * 1000

/** Today's price plus 1 %, at least a cent, in whole cents: the most per unit that is proposed. */
export const proposedMax = (priceCents: number): number => Math.max(priceCents + 1, Math.round(priceCents * 1.01))

/** Partner accounts: orders placed once, kept with their keys, readable offline. */
export function createOrders(context: CoreContext, products: OrderableProducts) {
  const stores = new Map<string, OrderStore>()
  const storeOf = (accountId: string): OrderStore => {
    if (context.accounts.get(accountId).role !== 'partner') throw failure('NOT_FOUND', 'A seller account has no orders.', 'Choose a partner account.')
    let store = stores.get(accountId)
    if (store === undefined) stores.set(accountId, store = createOrderStore(context.mirrors.database(accountId)))
    return store
  }
  const attempts = createAttempts(context, storeOf)
  const livePrices = createLivePrices(context)
  const running = new Set<Promise<void>>()
  /** Readings under way, by account: they must have ended before its files are closed. */
  const readings = new Map<Promise<unknown>, string>()
  const track = <T>(accountId: string, work: Promise<T>): Promise<T> => {
    const tracked = work.finally(() => readings.delete(tracked))
    readings.set(tracked, accountId)
    return tracked
  }
  context.accounts.onReady((account, signal) => {
    if (account.role !== 'partner') return
    const work = keepOrders(context, account.id, storeOf(account.id), attempts, signal, (reading) => track(account.id, reading)).finally(() => running.delete(work))
    running.add(work)
  })
  context.accounts.onRelease(async (accountId) => {
    await Promise.allSettled([...readings].filter(([, of]) => of === accountId).map(([work]) => work))
    stores.delete(accountId)
  })

  function detail(accountId: string, orderId: string): OrderDetail {
    const store = storeOf(accountId)
    const known = store.order(orderId)
    if (known === null) throw failure('NOT_FOUND', 'This order is not on this desk.', 'Sync, or look at the list of orders.')
    const attempt = store.attemptOf(orderId)
    return {
      ...known.row,
      items: known.items,
      failure: known.failure,
      ...(known.firstDownloadedAt !== undefined && { firstDownloadedAt: known.firstDownloadedAt }),
      downloadedHereAt: known.downloadedHereAt,
      keys: known.keys,
      claimUntil: known.row.deliveredUnits === 0 || known.row.completedAt === null ? null : known.row.completedAt + claimWindowMs,
      attempt: attempt === null ? null : shown(attempt),
      readAt: known.readAt,
      requestId: attempt?.problem?.requestId ?? null,
    }
  }

  return {
    list({ accountId, window, ...query }: Inputs['list']): Outputs['list'] {
      context.attention.look(accountId, 'orders')
      return storeOf(accountId).list({
        statuses: query.statuses ?? [], query: query.query ?? '', from: query.from ?? null, to: query.to ?? null,
        sort: query.sort ?? { column: 'created', direction: 'desc' }, offset: window?.offset ?? 0, limit: window?.limit ?? 100,
      })
    },
    order: ({ accountId, orderId }: Inputs['order']): OrderDetail => detail(accountId, orderId),
    async quote({ accountId, productIds }: Inputs['quote']): Promise<Outputs['quote']> {
      const store = storeOf(accountId)
      const live = await livePrices.of(accountId, productIds)
      const now = context.clock.now()
      return {
        lines: products(accountId, productIds).flatMap((known) => {
          if (known === null) return []
          const product = { ...known, ...live.get(known.productId) }
          const priceCents = product.priceCents === 0 ? null : product.priceCents
          return [{ ...product, priceCents, proposedMaxCents: priceCents === null ? null : proposedMax(priceCents) }]
        }),
        balanceCents: store.history().balance?.cents ?? null,
        proposedExternalId: proposeExternalId(store, now),
        spent24hCents: store.spentSince(now - dayMs),
      }
    },
    async place({ accountId, externalId, lines, waitSeconds = 25 }: Inputs['place']): Promise<OrderAttempt> {
      const names = products(accountId, lines.map((line) => line.productId))
      const attempt = await attempts.place(accountId, {
        externalId, waitSeconds, lines: lines.map((line, index) => ({ ...line, name: names[index]?.name ?? line.productId })),
      })
      if (attempt.state === 'placed') {
        // The order stands; a balance that can't be read now comes with the next look.
        await refreshBalance(context, accountId, storeOf(accountId)).catch(() => {})
      }
      return shown(attempt)
    },
    attempts: ({ accountId }: Inputs['attempts']): OrderAttempt[] => storeOf(accountId).recentAttempts().map(shown),
    settle: async ({ accountId, attemptId }: Inputs['settle']): Promise<OrderAttempt> => shown(await attempts.settle(accountId, attemptId)),
    async downloadKeys({ accountId, orderId }: Inputs['downloadKeys']): Promise<OrderDetail> {
      detail(accountId, orderId)
      await downloadKeys(context, accountId, storeOf(accountId), orderId)
      return detail(accountId, orderId)
    },
    revealKey: ({ accountId, orderId, keyId }: Inputs['revealKey']): Outputs['revealKey'] => revealKey(context, accountId, storeOf(accountId), orderId, keyId),
    /** For the status bar: the balance as last read, and how many orders the mirror holds. */
    summary: (accountId: string): { balance: { cents: number; at: number } | null; orders: number } => {
      const store = storeOf(accountId)
      return { balance: store.history().balance, orders: store.count() }
    },
    /** Resolves when the background work has ended (its signals are aborted by the accounts). */
    close: async (): Promise<void> => { await Promise.allSettled([...running, ...readings.keys()]) },
  }
}
export type Orders = ReturnType<typeof createOrders>

/** `KD-20261121-0007`: the day in UTC and the first number that no order or open attempt of this desk has. */
function proposeExternalId(store: OrderStore, now: number): string {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '')
  for (let number = 1; ; number++) {
    const externalId = `KD-${day}-${String(number).padStart(4, '0')}`
    if (!store.isUsed(externalId)) return externalId
  }
}

/** An attempt as the screen may see it: without its Idempotency-Key. */
function shown(attempt: AttemptRecord): OrderAttempt {
  const { idempotencyKey: _kept, waitSeconds: _asked, ...told } = attempt
  return told
}
