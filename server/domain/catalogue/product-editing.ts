import { ApiError } from '../../api/errors.ts'
import type { BodyOf } from '../../api/handlers.ts'
import { ZERO } from '../../api/money.ts'
import type { Context } from '../context.ts'
import { reachCrashPoint } from '../crash-points.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'
import type { ProductRecord } from '../ports/catalogue.ts'
import type { Supply } from './supply.ts'

/**
 * The fields that move `updatedAt` when they change: name, region with activation, texts, images,
 * removal (Decision 12).
 */
const visible = [
  'name',
  'region',
  'activation',
  'description',
  'activationDetails',
  'coverImage',
  'screenshots',
  'removed',
] as const satisfies (keyof ProductRecord)[]

/**
 * Whether the difference is visible to partners. `qty` counts when supply becomes known or unknown.
 */
function changesVisibly(before: ProductRecord, after: ProductRecord): boolean {
  return (
    before.supplyUnknown !== after.supplyUnknown ||
    visible.some((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
  )
}

export interface ProductEditing {
  create(body: BodyOf<'createProduct'>): string
  change(id: string, body: BodyOf<'changeProduct'>): void
}

/** Creates and changes products for the dashboard. */
export function createProductEditing(
  context: Context,
  supply: Supply,
  terms: OfferTerms,
): ProductEditing {
  const { store, clock, ids } = context
  return {
    create(body) {
      const id = body.id ?? ids.next('prd')
      store.transaction(() => {
        if (store.catalogue.find(id)) {
          throw new ApiError('VALIDATION_ERROR', undefined, [{ field: 'id', message: 'is taken' }])
        }
        const fresh = { id, lowPrice: ZERO, qty: 0, removed: false, supplyUnknown: false }
        const { name, platform, region, productType, deliveryType } = body
        store.catalogue.insert({
          ...emptyDetails,
          ...given(body),
          ...fresh,
          name,
          platform,
          region,
          productType,
          deliveryType,
          createdAt: clock.now(),
          updatedAt: supply.stamp(),
        })
        supply.markChanged()
      })
      return id
    },
    change(id, body) {
      store.transaction(() => {
        const before = store.catalogue.find(id)
        if (!before) throw new ApiError('NOT_FOUND', 'Product not found.')
        const after: ProductRecord = { ...before, ...given(body) }
        const stamp = supply.stamp()
        if (changesVisibly(before, after)) after.updatedAt = stamp
        store.catalogue.update(after)
        reachCrashPoint('product.changed')
        supply.markChanged()
        if (before.productType === after.productType && before.deliveryType === after.deliveryType)
          return
        for (const offer of store.offers.ofProduct(id)) terms.reprice(offer)
        supply.refresh(id, stamp)
      })
    },
  }
}

const emptyDetails = {
  activation: null,
  description: null,
  activationDetails: null,
  languages: [],
  genres: [],
  developer: null,
  publisher: null,
  releaseDate: null,
  ageRating: null,
  coverImage: null,
  screenshots: [],
  systemRequirements: [],
  url: null,
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

function given<T extends object>(body: T): Given<T> {
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== undefined),
  ) as Given<T>
}
