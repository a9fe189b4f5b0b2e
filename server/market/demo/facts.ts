import type { Cents } from '../../api/money.ts'
import type { DeliveryType, ProductType } from '../../api/schemas/enums.ts'

/** The properties of a stocked product that the demo seller's offers and the orders need. */
export interface ProductFacts {
  id: string
  platform: string
  productType: ProductType
  deliveryType: DeliveryType
  marketPrice: Cents
  /** Percent that its commission class adds to a seller's price. */
  commission: number
  /** The lowest customer price, null without supply. */
  lowestPrice: Cents | null
  units: number
  preLaunch: boolean
  supplyUnknown: boolean
}
