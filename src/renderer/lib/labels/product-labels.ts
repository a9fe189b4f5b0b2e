const types: Record<string, string> = {
  game: 'Game',
  dlc: 'DLC',
  software: 'Software',
  'gift-card': 'Gift card',
  subscription: 'Subscription',
  'game-point': 'Game points',
}
const deliveries: Record<string, string> = {
  key: 'Key',
  gift: 'Gift link',
  account: 'Account',
  link: 'Activation link',
}

/** The label of a product type. Types this version doesn't know keep the service's text. */
export const productTypeLabel = (type: string): string => types[type] ?? type

/** The label of a delivery type. Types this version doesn't know keep the service's text. */
export const deliveryTypeLabel = (type: string): string => deliveries[type] ?? type

/** The difference between editions of a product: "Steam · Europe". Unknown parts are left out. */
export const variantLabel = ({ platform, region }: { platform: string; region: string }): string =>
  [platform, region].filter((part) => part !== '').join(' · ')

/** A product with what tells its editions apart: "Hollow Tide 2 · Steam · Europe". */
export const productLine = ({
  name,
  ...product
}: {
  name: string
  platform: string
  region: string
}): string => [name, variantLabel(product)].filter((part) => part !== '').join(' · ')

/** The same as {@link variantLabel} with the delivery kind, unless it is a key: "Steam · Europe · gift link". */
export const deliveryLabel = (product: {
  platform: string
  region: string
  deliveryType: string
}): string =>
  [
    variantLabel(product),
    product.deliveryType === 'key' ? '' : deliveryTypeLabel(product.deliveryType).toLowerCase(),
  ]
    .filter((part) => part !== '')
    .join(' · ')
