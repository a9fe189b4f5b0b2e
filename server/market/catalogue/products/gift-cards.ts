import type { SeededRandom } from '../../random.ts'
import { cents } from '../../../api/money.ts'
import { regions, texts } from '../data.ts'
import type { Family } from '../draft.ts'
import { randomCountry, regionInText } from '../regions.ts'
import { grouped, paragraph } from '../titles/text.ts'

type Currency = keyof typeof regions.currencies
const isCurrency = (name: string): name is Currency => name in regions.currencies

/**
 * The gift cards of a brand: a few amounts in one or two currencies, each for the region with that
 * currency.
 */
export const giftCardFamily = (random: SeededRandom, brand: string): Family => {
  const platform = random.weighted([
    { weight: 82, value: 'Other' },
    { weight: 6, value: 'Xbox' },
    { weight: 6, value: 'PlayStation' },
    { weight: 6, value: 'Nintendo' },
  ]).value
  const first = randomCountry(random)
  const second = randomCountry(random)
  const markets = new Map<string, { region: string; currency: string }>()
  for (const { name, currency } of random.chance(0.45) ? [first, second] : [first]) {
    const region = currency === 'EUR' && random.chance(0.6) ? 'Europe' : name
    markets.set(region, { region, currency })
  }
  return [...markets.values()].flatMap(({ region, currency }) => {
    if (!isCurrency(currency)) throw new Error(`No amounts for ${currency}`)
    const { perEuro, amounts } = regions.currencies[currency]
    return random.sample(amounts, random.between(2, 6)).map((value) => {
      const amount = `${grouped(value)} ${currency}`
      return {
        name: `${brand} Gift Card ${amount}`,
        platform,
        region,
        productType: 'gift-card' as const,
        deliveryType: 'key' as const,
        // Cards sell slightly below their face value.
        marketPrice: cents(Math.round((value / perEuro) * (92 + random.next() * 9))),
        description: paragraph(
          random,
          [texts.giftCard.open, texts.giftCard.middle, texts.giftCard.close],
          { brand, amount, regionName: regionInText(region) },
        ),
        languages: ['English'],
        genres: [],
        developer: null,
        publisher: brand,
        releaseDay: null,
        ageRating: null,
        systemRequirements: [],
      }
    })
  })
}
