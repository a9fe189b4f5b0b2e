import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Problem } from '../../../contract/base.ts'
import type { ProductRow } from '../../../contract/catalogue.ts'
import type { Contract } from '../../../contract/index.ts'
import { Failure } from '../../failure.ts'
import { folded } from '../classify/targets.ts'
import type { ResolvedTarget } from '../check/key-check-task.ts'
import type { KeyImportContext } from '../context.ts'
import { isCertainKey } from '../parse/detect/key-look.ts'
import { shownValues } from '../view/shown-values.ts'

type Inputs = InferContractRouterInputs<Contract['imports']>
type Outputs = InferContractRouterOutputs<Contract['imports']>

/** The catalogue search that missing offers need: mirrored products by words or id. */
export type ProductSearch = {
  search(
    input: InferContractRouterInputs<Contract['catalogue']>['search'],
  ): Promise<{ rows: ProductRow[] }>
}
/** Creates an offer, or finds the product's existing offer. */
export type OfferCreation = {
  create(
    input: InferContractRouterInputs<Contract['offers']>['create'],
  ): Promise<{ offer: { offerId: string } | null }>
}

const MOST_VALUES = 200
const LOOKED_AT = 20

/**
 * The one product that a value names: by id, or by name, alone or with platform and region; null if
 * there is none or several.
 */
function productNamed(value: string, rows: readonly ProductRow[]): ProductRow | null {
  const byId = rows.find(({ productId }) => productId === value)
  if (byId !== undefined) return byId
  const name = folded(value)
  for (const nameOf of [
    (row: ProductRow) => `${row.name} ${row.platform} ${row.region}`,
    (row: ProductRow) => `${row.name} ${row.platform}`,
    (row: ProductRow) => row.name,
  ]) {
    const found = rows.filter((row) => folded(nameOf(row)) === name)
    if (found.length > 0) return found.length === 1 ? (found[0] ?? null) : null
  }
  return null
}

/**
 * The values that match no own offer, each with the product it names. At most 200, and the number
 * of the others. A key isn't searched for.
 */
export async function findMissingOffers(
  catalogue: ProductSearch,
  accountId: string,
  targets: readonly ResolvedTarget[],
): Promise<Outputs['missingOffers']> {
  const rows: Outputs['missingOffers']['rows'] = []
  const values = shownValues(targets)
  const missing = [...targets.entries()].filter(
    ([, { offerId, by }]) => offerId === null && by === 'none',
  )
  for (const [index, { value: exact, lines }] of missing.slice(0, MOST_VALUES)) {
    const value = values[index] ?? null
    const found =
      exact === null || exact === '' || isCertainKey(exact)
        ? null
        : productNamed(
            exact,
            (
              await catalogue.search({
                accountId,
                filter: { query: exact.slice(0, 200) },
                window: { offset: 0, limit: LOOKED_AT },
              })
            ).rows,
          )
    rows.push({
      value,
      lines,
      product:
        found === null
          ? null
          : {
              productId: found.productId,
              name: found.name,
              platform: found.platform,
              region: found.region,
              deliveryType: found.deliveryType,
              bestSellerCents: found.bestSellerCents,
            },
    })
  }
  return { rows, left: missing.length - rows.length }
}

/** Creates the offers one after another. A failure is reported and doesn't stop the others. */
export async function createMissingOffers(
  context: KeyImportContext,
  offers: OfferCreation,
  accountId: string,
  wanted: Inputs['createOffers']['offers'],
): Promise<Outputs['createOffers']['results']> {
  const results: Outputs['createOffers']['results'] = []
  for (const { value, ...asked } of wanted) {
    try {
      const { offer } = await offers.create({ accountId, ...asked })
      results.push({
        value,
        offerId: offer?.offerId ?? null,
        problem: offer === null ? offline : null,
      })
    } catch (error) {
      results.push({
        value,
        offerId: null,
        problem:
          error instanceof Failure ? error.problem : context.report('imports create offer', error),
      })
    }
  }
  return results
}

const offline: Problem = {
  code: 'OFFLINE',
  what: 'The service can’t be reached.',
  effect: 'The new offer is in your queued changes. Its lines have no offer yet.',
  next: 'When it has been sent, choose it for these lines.',
  status: null,
  requestId: null,
  retryAfterMs: null,
}
