import type { ProductDetails } from '../../domain/ports/catalogue.ts'
import type { SeededRandom } from '../random.ts'
import { regions } from './data.ts'

const allCountries = regions.allCountries.split(' ')
const europe = new Set(regions.europe.split(' '))
const wealthy = new Set(regions.wealthy.split(' '))

const allBut = (allowed: (code: string) => boolean): string[] =>
  allCountries.filter((code) => !allowed(code))

/** The complete list of countries where a region's products can't be activated. */
const excludedFrom = new Map<string, string[]>([
  ['Europe', allBut((code) => europe.has(code))],
  ['RoW', allCountries.filter((code) => wealthy.has(code))],
  ...regions.countries.map(({ name, code }): [string, string[]] => [
    name,
    allBut((other) => other === code),
  ]),
])

/** How often the exact list of countries is known, by kind of region. */
const knownShare = (region: string): number =>
  ({ Global: 0.7, Europe: 0.25, RoW: 0.6 })[region] ?? 0.12

/**
 * The known activation countries, matching the region; null if only the region is known. If their
 * number is known, excluded and allowed countries together are all 249 of ISO 3166-1.
 */
export const activationFor = (
  random: SeededRandom,
  region: string,
): ProductDetails['activation'] => {
  if (!random.chance(knownShare(region))) return null
  const excludedCountries = [...(excludedFrom.get(region) ?? random.pick(regions.globalExclusions))]
  const counted = region !== 'Global' || random.chance(0.85)
  return {
    excludedCountries,
    allowedCountryCount: counted ? allCountries.length - excludedCountries.length : null,
  }
}

/** The name of one country in products. */
export const randomCountry = (random: SeededRandom): (typeof regions.countries)[number] =>
  random.weighted(regions.countries)

/** The name of a region in texts. */
export const regionInText = (region: string): string =>
  ({
    Global: 'any country',
    RoW: 'most countries outside Europe and North America',
    'United States': 'the United States',
    'United Kingdom': 'the United Kingdom',
    Netherlands: 'the Netherlands',
  })[region] ?? region
