import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import {
  addCents,
  atLeast,
  type Cents,
  cents,
  percentOf,
  sumCents,
} from '../../../../server/api/money.ts'
import type { Contract } from '../../../contract/index.ts'
import type { BulkOrder, OrderAttempt } from '../../../contract/order-records.ts'
import type { OrdersContext } from '../context.ts'
import type { Attempts } from './attempts.ts'
import type { Bulks } from '../bulk/bulk.ts'
import { knownLimits } from './known-limits.ts'
import { parseOrderTable, tableProducts } from '../bulk/order-table.ts'
import type { LivePrices } from './live-prices.ts'
import { refreshBalance } from '../sync/order-sync.ts'
import { unitPriceFor } from './price-tiers.ts'
import type { OrderableProducts } from './orderable-products.ts'
import type { AttemptRecord } from '../attempt-store.ts'
import type { OrderStore } from '../store.ts'

type Inputs = InferContractRouterInputs<Contract['orders']>
type Outputs = InferContractRouterOutputs<Contract['orders']>

type Dependencies = {
  context: OrdersContext
  products: OrderableProducts
  attempts: Attempts
  bulks: Bulks
  livePrices: LivePrices
  storeOf: (accountId: string) => OrderStore
}

const dayMs = 24 * 3600 * 1000

/**
 * The proposed highest unit price: today's price plus 1 %, at least one cent more, in integer
 * cents.
 */
export const proposedMax = (priceCents: Cents): Cents =>
  atLeast(addCents(priceCents, cents(1)), percentOf(priceCents, 101))

/** Quotes and places orders: single ones, and many from a table. */
export function createPlacing({
  context,
  products,
  attempts,
  bulks,
  livePrices,
  storeOf,
}: Dependencies) {
  return {
    async quote({ accountId, productIds }: Inputs['quote']): Promise<Outputs['quote']> {
      const store = storeOf(accountId)
      const live = await livePrices.of(accountId, productIds)
      const tiers = await livePrices.tiersOf(accountId, productIds)
      const spent24hCents = store.spentSince(context.accounts.serviceNow(accountId) - dayMs)
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
              tiers: (tiers.get(known.productId) ?? []).flatMap(({ minQty }, _at, all) => {
                const unitCents = unitPriceFor(priceCents, all, minQty)
                return unitCents === null
                  ? []
                  : [{ minQty, priceCents: unitCents, proposedMaxCents: proposedMax(unitCents) }]
              }),
            },
          ]
        }),
        balanceCents: store.history().balance?.cents ?? null,
        proposedExternalId: proposeExternalIds(store, context.clock.now()).next().value,
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
      if (attempt.state === 'refused')
        livePrices.forget(
          accountId,
          lines.map((line) => line.productId),
        )
      if (attempt.state === 'placed') {
        // The order is placed. If its balance can't be read now, the next sync reads it.
        await refreshBalance(context, accountId, storeOf(accountId)).catch(() => {})
      }
      return toOrderAttempt(attempt)
    },
    attempts: ({ accountId }: Inputs['attempts']): OrderAttempt[] =>
      storeOf(accountId).recentAttempts().map(toOrderAttempt),
    checkAttempt: async ({ accountId, attemptId }: Inputs['checkAttempt']): Promise<OrderAttempt> =>
      toOrderAttempt(await attempts.settle(accountId, attemptId)),
    async parseTable({
      accountId,
      text,
      fresh,
    }: Inputs['parseTable']): Promise<Outputs['parseTable']> {
      const store = storeOf(accountId)
      const next = proposeExternalIds(store, context.clock.now())
      const wanted = tableProducts(text)
      const ids = [...new Set(wanted.map(({ productId }) => productId))]
      if (fresh === true) livePrices.forget(accountId, ids)
      const several = wanted.filter(({ qty }) => qty > 1).map(({ productId }) => productId)
      const live = await livePrices.of(accountId, ids)
      const tiers = await livePrices.tiersOf(accountId, [...new Set(several)])
      const known = new Map(products(accountId, ids).map((product, at) => [ids[at], product]))
      const lastPaid = store.lastPaid(ids)
      const { orders, problems } = parseOrderTable(text, {
        product: (productId, qty) => {
          const product = known.get(productId)
          if (product == null) return null
          const { priceCents, ...current } = { ...product, ...live.get(productId) }
          const listed = priceCents === 0 ? null : priceCents
          return {
            ...current,
            priceCents: unitPriceFor(listed, tiers.get(productId) ?? [], qty),
          }
        },
        lastPaid: (productId) => lastPaid.get(productId) ?? null,
        proposedMax,
        isUsed: store.isUsed,
        nextReference: () => next.next().value,
      })
      return {
        orders,
        problems,
        atMostCents: sumCents(
          orders.flatMap(({ problems, atMostCents }) =>
            problems.length === 0 ? [atMostCents] : [],
          ),
        ),
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
  }
}

/**
 * `KD-20261121-0007`: the day in UTC and an increasing number that no order or open attempt on this
 * computer uses.
 */
function* proposeExternalIds(store: OrderStore, now: number): Generator<string, never> {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '')
  for (let number = 1; ; number++) {
    const externalId = `KD-${day}-${String(number).padStart(4, '0')}`
    if (!store.isUsed(externalId)) yield externalId
  }
}

/** An attempt for the screen: without its Idempotency-Key. */
export function toOrderAttempt(attempt: AttemptRecord): OrderAttempt {
  const { idempotencyKey: _kept, waitSeconds: _asked, ...told } = attempt
  return told
}
