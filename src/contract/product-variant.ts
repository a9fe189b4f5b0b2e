const deliveries: Record<string, string> = {
  key: 'Key',
  gift: 'Gift link',
  account: 'Account',
  link: 'Activation link',
}

/** The label of a delivery type. Types this version doesn't know keep the service's text. */
export const deliveryTypeLabel = (type: string): string => deliveries[type] ?? type

/** The difference between editions of a product; an empty text is unknown. */
export type Variant = { platform: string; region: string; deliveryType: string }

/**
 * The difference between editions of a product: "Steam · Europe", with the delivery type unless it
 * is a key: "Steam · Europe · gift link". Unknown parts are left out.
 */
export const variantLabel = ({ platform, region, deliveryType }: Variant): string =>
  [platform, region, deliveryType === 'key' ? '' : deliveryTypeLabel(deliveryType).toLowerCase()]
    .filter((part) => part !== '')
    .join(' · ')

/** A product with its edition: "Hollow Tide 2 · Steam · Europe". */
export const productLine = ({ name, ...product }: Variant & { name: string }): string =>
  [name, variantLabel(product)].filter((part) => part !== '').join(' · ')
