import type { ImportFile } from '../../../contract/keys/import-records.ts'

/** An own offer to match lines with. */
export type OwnOffer = {
  offerId: string
  productId: string
  name: string
  platform: string
  region: string
  deliveryType: string
  stock: number
}

export type MatchedBy = ImportFile['targets'][number]['matchedBy']

/** One value of the offer column. The user's choice overrides every match. */
export type Target = {
  value: string | null
  lines: number
  chosen: { offerId: string | null } | null
}

/** A name without case, punctuation and marks that don't distinguish names. */
export const folded = (text: string): string =>
  text
    // Otherwise the normalization turns them into letters: "Gold™" into "goldtm".
    .replace(/[™℠]/g, ' ')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{P}\p{S}]+/gu, ' ')
    .trim()

/** One entry per name; names that several offers share match none of them. */
function unique<Value>(entries: Iterable<readonly [string, Value]>): Map<string, Value | null> {
  const found = new Map<string, Value | null>()
  for (const [key, value] of entries) if (key !== '') found.set(key, found.has(key) ? null : value)
  return found
}

/**
 * Finds the offer that a cell names: by its id, its product's id, or its name, alone or with
 * platform and region.
 */
export interface OfferMatcher {
  match(value: string): { offer: OwnOffer; by: Exclude<MatchedBy, 'chosen' | 'none'> } | null
  byId(offerId: string): OwnOffer | null
}

export function createOfferMatcher(offers: readonly OwnOffer[]): OfferMatcher {
  const ids = new Map(offers.map((offer) => [offer.offerId, offer]))
  const products = unique(offers.map((offer) => [offer.productId, offer] as const))
  const names = unique(offers.map((offer) => [folded(offer.name), offer] as const))
  const onPlatform = unique(
    offers.map((offer) => [folded(`${offer.name} ${offer.platform}`), offer] as const),
  )
  const inRegion = unique(
    offers.map(
      (offer) => [folded(`${offer.name} ${offer.platform} ${offer.region}`), offer] as const,
    ),
  )
  return {
    byId: (offerId) => ids.get(offerId) ?? null,
    match(value) {
      const id = ids.get(value)
      if (id !== undefined) return { offer: id, by: 'offer-id' }
      const product = products.get(value) ?? null
      if (product !== null) return { offer: product, by: 'product-id' }
      const name = folded(value)
      const named = names.get(name) ?? onPlatform.get(name) ?? inRegion.get(name) ?? null
      return named === null ? null : { offer: named, by: 'name' }
    },
  }
}

/**
 * The offer for the lines of one value. `fileOffer`: the offer of all lines, for a file without an
 * offer column.
 */
export function resolveTarget(
  target: Target,
  fileOffer: string | null,
  matcher: OfferMatcher,
): { offer: OwnOffer | null; by: MatchedBy } {
  if (target.chosen !== null)
    return {
      offer: target.chosen.offerId === null ? null : matcher.byId(target.chosen.offerId),
      by: 'chosen',
    }
  if (target.value === null) {
    const offer = fileOffer === null ? null : matcher.byId(fileOffer)
    return { offer, by: offer === null ? 'none' : 'chosen' }
  }
  const matched = matcher.match(target.value)
  return matched === null ? { offer: null, by: 'none' } : matched
}

/**
 * The id under which a product's keys are compared. Services that don't report an offer's product
 * are compared per offer.
 */
export const productOf = (offer: Pick<OwnOffer, 'offerId' | 'productId'>): string =>
  offer.productId === '' ? `offer ${offer.offerId}` : offer.productId
