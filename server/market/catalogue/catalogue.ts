import type { Cents } from '../../api/money.ts'
import type { ProductSeed } from '../../domain/ports/seeding.ts'
import { coverPath, screenshotPath } from '../art/drawing/paths.ts'
import type { SeededRandom } from '../random.ts'
import { seededRandom } from '../random.ts'
import { brands } from './data.ts'
import type { Family, ProductDraft } from './draft.ts'
import { gameFamily, knownSeries, newSeries } from './products/games.ts'
import { giftCardFamily } from './products/gift-cards.ts'
import { onlineFamily, subscriptionFamily } from './products/online.ts'
import { activationDetails } from './platforms.ts'
import { activationFor } from './regions.ts'
import { softwareFamily } from './products/software.ts'
import { brandSource, titleSource, onlineGameSource } from './titles/titles.ts'
import { DAY_MS } from '../../api/time.ts'

/** A product of the demo data, and its usual customer price. */
export interface CatalogueProduct {
  seed: ProductSeed
  marketPrice: Cents
}

/** An endless sequence of families. */
const families = function* (): Generator<Family, never> {
  const random = seededRandom('catalogue')
  const known = knownSeries()
  const title = titleSource(seededRandom('titles'))
  const world = onlineGameSource(seededRandom('worlds'))
  const giftBrand = brandSource(seededRandom('gift-brands'), brands.shops)
  const service = brandSource(seededRandom('services'), brands.streams)
  const programs = brandSource(seededRandom('programs'), ['', ' Pro', ' One'])
  const firstGiftBrands = ['Emberline']
  const firstPrograms = ['Bastion']

  // An exhausted source falls back to games, whose titles never run out.
  const game = (): Family => gameFamily(random, known.shift() ?? newSeries(random, title()))
  const from = (
    name: string | undefined,
    family: (random: SeededRandom, name: string) => Family,
  ): Family => (name === undefined ? game() : family(random, name))
  const kinds = [
    { weight: 68, family: game },
    { weight: 10, family: () => from(world(), onlineFamily) },
    { weight: 12, family: () => from(firstGiftBrands.shift() ?? giftBrand(), giftCardFamily) },
    { weight: 5, family: () => from(service(), subscriptionFamily) },
    { weight: 11, family: () => from(firstPrograms.shift() ?? programs(), softwareFamily) },
  ]
  for (;;) yield random.weighted(kinds).family()
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const isoDate = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The id of the demo catalogue's product number `no`, counted from 1. */
const demoProductId = (no: number): string => `prd_${10_000 + no}`

/** One product in this many has no texts, pictures or links, as in every real catalogue. */
const BARE_EVERY = 97
const withoutDetails = {
  description: null,
  activationDetails: null,
  languages: [],
  genres: [],
  developer: null,
  publisher: null,
  ageRating: null,
  coverImage: null,
  screenshots: [],
  systemRequirements: [],
  url: null,
} satisfies Partial<ProductSeed>

/**
 * Beside the catalogue, this many products have left it: none of an empty one, otherwise about one
 * for every hundred.
 */
const removedBeside = (count: number): number => Math.ceil(count / 100)

const complete = (
  random: SeededRandom,
  number: number,
  draft: ProductDraft,
  now: number,
): CatalogueProduct => {
  const { name, platform, region, productType, deliveryType, marketPrice, releaseDay, ...rest } =
    draft
  const id = demoProductId(number)
  const updatedAt = now - Math.floor(random.next() ** 2 * 30 * DAY_MS) - 1
  const picturesOf = productType === 'game' ? random.between(2, 4) : 0
  const seed: ProductSeed = {
    id,
    name,
    platform,
    region,
    productType,
    deliveryType,
    removed: false,
    supplyUnknown: random.chance(0.012),
    createdAt: updatedAt - random.between(60, 900) * DAY_MS,
    updatedAt,
    activation: activationFor(random, region),
    description: rest.description,
    activationDetails: activationDetails(platform, deliveryType),
    languages: rest.languages,
    genres: rest.genres,
    developer: rest.developer,
    publisher: rest.publisher,
    releaseDate: releaseDay === null ? null : isoDate(now + releaseDay * DAY_MS),
    ageRating: rest.ageRating,
    coverImage: coverPath(id),
    screenshots: Array.from({ length: picturesOf }, (_, index) => screenshotPath(id, index + 1)),
    systemRequirements: rest.systemRequirements,
    url: `https://shop.keydesk.example/${slug(`${name} ${platform} ${region}`)}`,
  }
  return { seed: number % BARE_EVERY === 0 ? { ...seed, ...withoutDetails } : seed, marketPrice }
}

/**
 * The first `count` products of the demo catalogue and some that left it, created one at a time so
 * that none of them stay in memory. The same count gives the same products; only their dates depend
 * on `now` (milliseconds UTC).
 */
export const demoCatalogue = function* (count: number, now: number): Generator<CatalogueProduct> {
  const random = seededRandom(`products:${count}`)
  const all = count + removedBeside(count)
  let no = 0
  for (const family of families()) {
    const seen = new Set<string>()
    for (const draft of family) {
      const key = `${draft.name}\n${draft.platform}\n${draft.region}`
      if (seen.has(key)) continue
      if (no === all) return
      seen.add(key)
      const product = complete(random, ++no, draft, now)
      yield no <= count ? product : { ...product, seed: { ...product.seed, removed: true } }
    }
  }
}
