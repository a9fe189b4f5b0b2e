import type { Cents } from '../../../server/api/money.ts'
import type { StoredKey } from '../../contract/order-records.ts'
import type { OrdersContext } from './context.ts'
import type { KeyStore } from './keys/key-store.ts'
import { refreshBalance } from './sync/order-sync.ts'
import type { OrderStore } from './store.ts'
import type { OrderableProducts } from './place/orderable-products.ts'
import { withVariants } from './variants.ts'

type Dependencies = {
  context: OrdersContext
  storesOf: (accountId: string) => { orders: OrderStore; keys: KeyStore }
  downloadKeys: (accountId: string, orderId: string) => Promise<number>
  products: OrderableProducts
}

/** Functions that other features use with a partner's orders. */
export function createOrdersAccess({ context, storesOf, downloadKeys, products }: Dependencies) {
  const storeOf = (accountId: string): OrderStore => storesOf(accountId).orders
  return {
    order: (accountId: string, orderId: string) => storeOf(accountId).order(orderId),
    keysOf: (accountId: string, orderId: string): StoredKey[] =>
      storesOf(accountId).keys.ofOrder(orderId),
    balance: (accountId: string): { cents: Cents; at: number } | null =>
      storeOf(accountId).history().balance,
    isComplete: (accountId: string): boolean => storeOf(accountId).history().complete,
    readBalance: (accountId: string): Promise<boolean> =>
      refreshBalance(context, accountId, storeOf(accountId)),
    /** Charged and credited lines of a period, for totals. */
    linesBetween: (accountId: string, from: number, to: number) =>
      storeOf(accountId).linesBetween(from, to),
    /** Orders placed since a time, and the amount credited back since then for undelivered units. */
    newsSince: (accountId: string, since: number) => storeOf(accountId).newsSince(since),
    /** Adds platform, region and delivery type to records of products. */
    withVariants: <Record extends { productId: string | null; deliveryType?: string }>(
      accountId: string,
      records: readonly Record[],
    ) => withVariants(products, accountId, records),
    /** Returns how many keys are new. The first download of an order always requires a person. */
    refetchKeys: async (accountId: string, orderId: string): Promise<number> =>
      storesOf(accountId).keys.ofOrder(orderId).length === 0 ? 0 : downloadKeys(accountId, orderId),
  }
}
export type OrdersAccess = ReturnType<typeof createOrdersAccess>
