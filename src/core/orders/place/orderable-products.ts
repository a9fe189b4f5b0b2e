import type { InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'

/** Catalogue data of a product that can be ordered; null for an unknown product. */
export type OrderableProduct = Omit<
  InferContractRouterOutputs<Contract['orders']>['quote']['lines'][number],
  'proposedMaxCents' | 'tiers'
> & { activationDetails: string | null }
export type OrderableProducts = (
  accountId: string,
  productIds: readonly string[],
) => (OrderableProduct | null)[]
