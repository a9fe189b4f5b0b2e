import type { Cents } from '../../api/money.ts'
import type { DeliveryType, ProductType } from '../../api/words.ts'

/** A product as a family invents it, before it has an id, dates and pictures. */
export interface ProductDraft {
  name: string
  platform: string
  region: string
  productType: ProductType
  deliveryType: DeliveryType
  /** What customers usually pay; offers lie around it. */
  marketPrice: Cents
  description: string
  languages: string[]
  genres: string[]
  developer: string | null
  publisher: string | null
  /**
   * Days from the start of the world to the release, negative for the past; null when it has no
   * release.
   */
  releaseDay: number | null
  ageRating: string | null
  systemRequirements: { system: string; requirement: string[] }[]
}

/**
 * Products that belong together: one series, brand or service. Never two with the same name,
 * platform and region.
 */
export type Family = ProductDraft[]
