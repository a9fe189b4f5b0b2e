import type { SeededRandom } from '../../random.ts'
import { brands, studios, texts } from '../data.ts'
import type { Family, ProductDraft } from '../draft.ts'
import { gameFamily } from './games.ts'
import { shopPrice } from '../prices.ts'
import { randomCountry, regionInText } from '../regions.ts'
import { grouped, paragraph } from '../titles/text.ts'

const packs = [
  { amount: 500, euros: 4.6 },
  { amount: 1000, euros: 8.9 },
  { amount: 1200, euros: 10.4 },
  { amount: 2400, euros: 19.5 },
  { amount: 5000, euros: 38 },
  { amount: 6500, euros: 48 },
  { amount: 14000, euros: 94 },
] as const
const times = [
  { label: '30 Days', text: '30 days', euros: 11 },
  { label: '60 Days', text: '60 days', euros: 20 },
  { label: '90 Days', text: '90 days', euros: 26 },
  { label: '180 Days', text: '180 days', euros: 49 },
] as const

/** An online game: sometimes a box to buy, its points, and play time. */
export const onlineFamily = (random: SeededRandom, title: string): Family => {
  const platform = random.weighted([
    { weight: 60, value: 'Other' },
    { weight: 14, value: 'Battle.net' },
    { weight: 10, value: 'Xbox' },
    { weight: 8, value: 'PlayStation' },
    { weight: 8, value: 'Steam' },
  ]).value
  const currency = random.pick(brands.pointCurrencies)
  const publisher = random.pick(studios.publishers)
  const regions = random.sample(
    ['Global', 'Europe', randomCountry(random).name],
    random.between(1, 2),
  )
  const shared = {
    platform,
    languages: ['English'],
    genres: ['MMO'],
    developer: null,
    publisher,
    releaseDay: null,
    ageRating: null,
    systemRequirements: [],
  }
  const family: Family = random.chance(0.35)
    ? gameFamily(random, { title, genre: 'MMO', entries: [title] })
    : []

  for (const region of regions) {
    for (const { amount, euros } of random.sample(packs, random.between(3, 6))) {
      const count = grouped(amount)
      const text = paragraph(random, [texts.points.open, texts.points.middle, texts.points.close], {
        amount: count,
        currency,
        game: title,
      })
      family.push({
        ...shared,
        region,
        name: `${title} – ${count} ${currency}`,
        productType: 'game-point',
        deliveryType: 'key',
        marketPrice: shopPrice(random, euros),
        description: text,
      })
    }
    if (!random.chance(0.4)) continue
    for (const { label, text: duration, euros } of random.sample(times, random.between(1, 3))) {
      const name = `${title} – ${label}`
      family.push({
        ...shared,
        region,
        ...membership(random, { name, service: title, duration, region }),
        marketPrice: shopPrice(random, euros),
      })
    }
  }
  return family
}

const months = [
  { label: '1 Month', text: 'one month', euros: 8 },
  { label: '3 Months', text: 'three months', euros: 22 },
  { label: '6 Months', text: 'six months', euros: 41 },
  { label: '12 Months', text: 'twelve months', euros: 72 },
] as const

/** The shared properties of all subscriptions. */
const membership = (
  random: SeededRandom,
  {
    name,
    service,
    duration,
    region,
  }: { name: string; service: string; duration: string; region: string },
): Pick<ProductDraft, 'name' | 'productType' | 'deliveryType' | 'description'> => ({
  name,
  productType: 'subscription',
  deliveryType: random.weighted([
    { weight: 80, value: 'key' as const },
    { weight: 11, value: 'account' as const },
    { weight: 9, value: 'link' as const },
  ]).value,
  description: paragraph(
    random,
    [texts.subscription.open, texts.subscription.middle, texts.subscription.close],
    {
      name,
      service,
      duration,
      duration_: duration.charAt(0).toUpperCase() + duration.slice(1),
      regionName: regionInText(region),
    },
  ),
})

/** A subscription service with a few lengths and regions. */
export const subscriptionFamily = (random: SeededRandom, service: string): Family => {
  const platform = random.weighted([
    { weight: 74, value: 'Other' },
    { weight: 12, value: 'Xbox' },
    { weight: 8, value: 'PlayStation' },
    { weight: 6, value: 'Microsoft' },
  ]).value
  const dear = 0.7 + random.next() * 1.2
  const regions = random.sample(
    ['Global', 'Europe', randomCountry(random).name],
    random.between(1, 2),
  )
  return regions.flatMap((region) =>
    random.sample(months, random.between(2, 4)).map(({ label, text, euros }) => ({
      platform,
      region,
      ...membership(random, { name: `${service} – ${label}`, service, duration: text, region }),
      marketPrice: shopPrice(random, euros * dear),
      languages: ['English', 'German', 'French', 'Spanish'],
      genres: [],
      developer: null,
      publisher: service,
      releaseDay: null,
      ageRating: null,
      systemRequirements: [],
    })),
  )
}
