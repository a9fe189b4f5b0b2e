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

/**
 * The word for a product type; one that this version doesn't know stays as the service wrote it.
 */
export const productTypeWord = (type: string): string => types[type] ?? type

/** The word for a delivery type, likewise. */
export const deliveryTypeWord = (type: string): string => deliveries[type] ?? type
