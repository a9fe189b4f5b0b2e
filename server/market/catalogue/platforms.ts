import type { DeliveryType } from '../../api/schemas/enums.ts'
import type { SeededRandom } from '../random.ts'
import { platforms } from './data.ts'
import { fill } from './titles/text.ts'

/** Platforms on which gifts, ready-made accounts and activation links are common. */
const giftPlatforms = new Set(['Steam', 'GOG', 'Xbox', 'Epic'])
const accountPlatforms = new Set([
  'Steam',
  'EA App',
  'Epic',
  'Rockstar',
  'Xbox',
  'PlayStation',
  'Ubisoft Connect',
])
const linkPlatforms = new Set(['GOG', 'Epic', 'Xbox', 'Microsoft', 'Other'])

/**
 * The delivery type for a kind of product on a platform; add-ons are never delivered as an account.
 */
export const gameDelivery = (
  random: SeededRandom,
  platform: string,
  productType: 'game' | 'dlc',
): DeliveryType => {
  const roll = random.next()
  if (roll < 0.06 && giftPlatforms.has(platform)) return 'gift'
  if (roll > 0.94 && productType === 'game' && accountPlatforms.has(platform)) return 'account'
  if (roll > 0.84 && roll < 0.94 && linkPlatforms.has(platform)) return 'link'
  return 'key'
}

/** `count` different platforms, the common ones more often. */
export const somePlatforms = (random: SeededRandom, count: number): string[] => {
  const left = [...platforms.shares]
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const chosen = random.weighted(left)
    left.splice(left.indexOf(chosen), 1)
    return chosen.value
  })
}

const redemption: Readonly<Record<string, string>> = platforms.redemption
const deliveries: Readonly<Record<string, string>> = platforms.deliveries

/** English instructions for the customer, by delivery type. */
export const activationDetails = (platform: string, deliveryType: DeliveryType): string => {
  const steps = deliveryType === 'key' ? redemption[platform] : deliveries[deliveryType]
  if (steps === undefined) throw new Error(`No redemption steps for ${deliveryType} on ${platform}`)
  return fill(steps, { platform: platform === 'Other' ? "the maker's website" : platform })
}
