import type { Cents } from '../../api/money.ts'
import type { DeliveryType, ProductType } from '../../api/words.ts'

/**
 * What the demo seller's offers and the orders need to know of a product after the competitors have
 * stocked it.
 */
export interface ProductFacts {
  id: string
  platform: string
  productType: ProductType
  deliveryType: DeliveryType
  marketPrice: Cents
  /** Percent that its commission class adds to a seller's price. */
  commission: number
  /** The lowest price a customer pays for it, null without supply. */
  lowestPrice: Cents | null
  units: number
  preLaunch: boolean
  supplyUnknown: boolean
}
