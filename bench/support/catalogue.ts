/**
 * A catalogue of any size with always the same contents: titles from a vocabulary with many rare
 * and few common words, editions, platforms, regions.
 */
import { cents } from '../../server/api/money.ts'
import type { ProductFacts } from '../../src/core/catalogue/records/product-facts.ts'
import { sortKey } from '../../src/core/mirror/mirror.ts'

const ONSETS = [
  'b',
  'br',
  'c',
  'ch',
  'd',
  'dr',
  'f',
  'g',
  'gr',
  'h',
  'k',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  'sh',
  'st',
  't',
  'th',
  'tr',
  'v',
  'w',
  'z',
]
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'ou']
const ENDS = ['', 'n', 'r', 's', 'l', 'th', 'rk', 'st', 'nd']
const COMMON = [
  'the',
  'of',
  'war',
  'world',
  'simulator',
  'legends',
  'quest',
  'dark',
  'city',
  'heroes',
  'rising',
  'lost',
  'kingdom',
  'space',
  'racing',
  'empire',
  'witcher',
  'hunt',
  'wild',
  'age',
]
const EDITIONS = [
  '',
  '',
  '',
  '',
  ' Deluxe Edition',
  ' Gold Edition',
  ' Season Pass',
  ' – Soundtrack',
  ' II',
  ' 3',
  ': Complete Edition',
  ' DLC Pack 1',
]
const PLATFORMS = [
  'Steam',
  'Xbox',
  'PlayStation',
  'Nintendo',
  'GOG',
  'Epic Games',
  'Ubisoft Connect',
  'EA App',
  'Battle.net',
  'Rockstar',
  'Microsoft Store',
  'Other',
]
const REGIONS = [
  'Global',
  'Europe',
  'RoW',
  'United States',
  'Germany',
  'Latin America',
  'Turkey',
  'Asia',
]

/** A small generator of integers (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const vocabulary = (size: number): string[] => {
  const draw = numbers(42)
  const pick = (from: readonly string[]): string => from[draw(from.length)] ?? ''
  return Array.from(
    { length: size },
    () =>
      Array.from({ length: 2 + draw(2) }, () => pick(ONSETS) + pick(VOWELS)).join('') + pick(ENDS),
  )
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const TITLES_PER = 8
const rare = vocabulary(30_000)

/**
 * The `index`-th product: each title exists in several editions, platforms and regions. Texts are
 * as long as real ones.
 */
export function benchProduct(index: number): ProductFacts {
  const title = numbers(Math.floor(index / TITLES_PER) + 1)
  const words = Array.from({ length: 1 + title(3) }, () =>
    capital(
      (title(3) === 0
        ? COMMON[title(COMMON.length)]
        : rare[Math.floor((title(rare.length) * title(rare.length)) / rare.length)]) ?? '',
    ),
  )
  const draw = numbers(index * 7 + 3)
  const name = `${words.join(' ')}${EDITIONS[draw(EDITIONS.length)] ?? ''}`
  return {
    productId: `prd_${(1_000_000 + index).toString(36)}`,
    name,
    nameKey: sortKey(name),
    platform: PLATFORMS[draw(PLATFORMS.length)] ?? '',
    region: REGIONS[draw(REGIONS.length)] ?? '',
    productType: draw(9) === 0 ? 'dlc' : draw(11) === 0 ? 'gift-card' : 'game',
    deliveryType: draw(13) === 0 ? 'gift' : 'key',
    priceCents: cents(99 + draw(9000)),
    bestSellerCents: null,
    inStock: draw(4) !== 0,
    qty: draw(99),
    excluded: draw(5) === 0 ? null : ',BY,CN,',
    allowedCountries: 44,
    commissionClass: null,
    commissionPercent: null,
    updatedAt: 1_700_000_000_000 + index * 1000,
    removed: false,
    texts: JSON.stringify({
      description: (
        `${words.join(' ')} is a game about ${rare[draw(rare.length)] ?? ''} and ` +
        `${rare[draw(rare.length)] ?? ''}. `
      ).repeat(4),
      activationDetails: 'Open the client, choose "Activate a product" and enter the key.',
      languages: ['English', 'German', 'French'],
      genres: ['Strategy', 'Simulation'],
      developer: capital(rare[draw(rare.length)] ?? ''),
      publisher: capital(rare[draw(rare.length)] ?? ''),
      releaseDate: '2025-09-18',
      ageRating: 'PEGI 12',
      coverImage: `https://cdn.example/covers/${index}.png`,
      screenshots: [`https://cdn.example/shots/${index}-1.png`],
      systemRequirements: [{ system: 'Windows', requirement: ['8 GB RAM', 'DirectX 12', '60 GB'] }],
      url: null,
    }),
  }
}
