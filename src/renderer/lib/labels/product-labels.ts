const types: Record<string, string> = {
  game: 'Game',
  dlc: 'DLC',
  software: 'Software',
  'gift-card': 'Gift card',
  subscription: 'Subscription',
  'game-point': 'Game points',
}
/** The label of a product type. Types this version doesn't know keep the service's text. */
export const productTypeLabel = (type: string): string => types[type] ?? type

export type { Variant } from '../../../contract/product-variant.ts'
export { deliveryTypeLabel, productLine, variantLabel } from '../../../contract/product-variant.ts'
