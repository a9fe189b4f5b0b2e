import type { InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../contract/index.ts'

/** What the catalogue knows of a product that may be ordered; null for one it doesn't know. */
export type OrderableProduct = Omit<
  InferContractRouterOutputs<Contract['orders']>['quote']['lines'][number],
  'proposedMaxCents'
> & { activationDetails: string | null }
export type OrderableProducts = (
  accountId: string,
  productIds: readonly string[],
) => (OrderableProduct | null)[]
