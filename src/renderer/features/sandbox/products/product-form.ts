import type { SandboxProduct } from '../../../../contract/sandbox/sandbox-world.ts'

export const productTypes = [
  'game',
  'dlc',
  'software',
  'gift-card',
  'subscription',
  'game-point',
] as const
export const deliveryTypes = ['key', 'gift', 'account', 'link'] as const

/**
 * The contents of the form's fields. Lists are separated by commas, and a missing value is an empty
 * text.
 */
export function typedOf(product: SandboxProduct | null) {
  return {
    id: '',
    name: product?.name ?? '',
    platform: product?.platform ?? '',
    region: product?.region ?? '',
    productType: productTypes.find((each) => each === product?.productType) ?? 'game',
    deliveryType: deliveryTypes.find((each) => each === product?.deliveryType) ?? 'key',
    description: product?.description ?? '',
    activationDetails: product?.activationDetails ?? '',
    developer: product?.developer ?? '',
    publisher: product?.publisher ?? '',
    releaseDate: product?.releaseDate ?? '',
    coverImage: product?.coverImage ?? '',
    url: product?.url ?? '',
    ageRating: product?.ageRating ?? '',
    languages: product?.languages.join(', ') ?? '',
    genres: product?.genres.join(', ') ?? '',
    excluded: product?.activation?.excludedCountries.join(', ') ?? '',
  }
}

/** An empty field is a missing value. */
export const cleared = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** Splits a list at its commas and trims its members. */
export const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
