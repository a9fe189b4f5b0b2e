import type { DeliveryType } from '../../api/schemas/enums.ts'
import type { SeededRandom } from '../random.ts'

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const words = [
  'amber',
  'birch',
  'cedar',
  'delta',
  'ember',
  'fjord',
  'grove',
  'heron',
  'inlet',
  'jetty',
  'kestrel',
  'larch',
  'maple',
  'north',
  'otter',
  'pebble',
  'quill',
  'raven',
  'stone',
  'tundra',
]

/** The number of characters in each group of a platform's codes. */
const groups: Readonly<Record<string, readonly number[]>> = {
  Steam: [5, 5, 5],
  GOG: [5, 5, 5, 3],
  'EA App': [4, 4, 4, 4, 4],
  'Ubisoft Connect': [3, 4, 4, 4, 4],
  Xbox: [5, 5, 5, 5, 5],
  Microsoft: [5, 5, 5, 5, 5],
  PlayStation: [4, 4, 4],
  Nintendo: [4, 4, 4, 4],
  Epic: [5, 5, 5, 5],
  'Battle.net': [6, 4, 6],
  Rockstar: [4, 4, 4, 4],
  Other: [4, 4, 4, 4],
}

const characters = (random: SeededRandom, count: number): string => {
  let code = ''
  for (let i = 0; i < count; i++) code += letters.charAt(Math.floor(random.next() * letters.length))
  return code
}

const code = (random: SeededRandom, platform: string): string =>
  (groups[platform] ?? [4, 4, 4, 4]).map((length) => characters(random, length)).join('-')

const login = (random: SeededRandom): string =>
  `${random.pick(words)}.${random.pick(words)}${random.between(10, 9999)}@mail.example`

const password = (random: SeededRandom): string =>
  `${characters(random, 4)}${random.between(100, 999)}${characters(random, 4).toLowerCase()}!`

const host = (platform: string): string => platform.toLowerCase().replace(/[^a-z]/g, '')

/** One generated unit of stock in the format of its platform and delivery type. */
export const unitValue = (
  random: SeededRandom,
  platform: string,
  deliveryType: DeliveryType,
): string => {
  switch (deliveryType) {
    case 'key':
      return code(random, platform)
    case 'gift':
      return `https://gifts.${host(platform)}.example/g/${characters(random, 16)}`
    case 'link':
      return `https://activate.${host(platform)}.example/${characters(random, 20).toLowerCase()}`
    case 'account':
      return `${login(random)}:${password(random)}`
  }
}
