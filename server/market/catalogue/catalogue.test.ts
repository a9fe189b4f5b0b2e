import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { drawable } from '../art/drawing/lettering.ts'
import type { CatalogueProduct } from './catalogue.ts'
import { demoCatalogue } from './catalogue.ts'
import { regions, reserved } from './data.ts'

const now = Date.parse('2026-11-21T06:00:00.000Z')
const digest = (count: number, at = now): string => {
  const hash = createHash('sha256')
  for (const product of demoCatalogue(count, at)) hash.update(JSON.stringify(product))
  return hash.digest('hex')
}
const some: CatalogueProduct[] = [...demoCatalogue(6000, now)]

test('a size always gives the same catalogue, and another size a different one', () => {
  expect(digest(700)).toBe(digest(700))
  expect(digest(700)).not.toBe(digest(701))
})

test('only dates depend on the start time', () => {
  const undated = (at: number) =>
    [...demoCatalogue(300, at)].map(
      ({ seed: { createdAt, updatedAt, releaseDate, ...rest }, marketPrice }) => ({
        ...rest,
        marketPrice,
        age: at - updatedAt,
        older: updatedAt - createdAt,
        released: releaseDate !== null,
      }),
    )
  expect(undated(now + 86_400_000 * 365)).toEqual(undated(now))
})

test.each([
  [0, 0],
  [1, 1],
  [17, 1],
  [500, 5],
])('has exactly %i products, and %i that left the catalogue', (count, gone) => {
  const removed = [...demoCatalogue(count, now)].map(({ seed }) => seed.removed)
  expect(removed).toEqual([
    ...Array.from({ length: count }, () => false),
    ...Array.from({ length: gone }, () => true),
  ])
})

test('no two products share name, platform and region, and none uses an existing title', () => {
  const known = new Set(some.map(({ seed }) => `${seed.name}\n${seed.platform}\n${seed.region}`))
  const taken = new Set(reserved)
  expect(known.size).toBe(some.length)
  expect(some.filter(({ seed }) => taken.has(seed.name))).toEqual([])
})

test('kinds of products, deliveries and regions have realistic proportions', () => {
  const share = (of: (product: CatalogueProduct) => boolean): number =>
    some.filter(of).length / some.length
  expect(share(({ seed }) => seed.productType === 'game')).toBeGreaterThan(0.4)
  for (const type of ['dlc', 'gift-card', 'game-point', 'software', 'subscription'])
    expect(share(({ seed }) => seed.productType === type)).toBeGreaterThan(0.015)
  expect(share(({ seed }) => seed.deliveryType === 'key')).toBeGreaterThan(0.85)
  for (const type of ['gift', 'account', 'link'])
    expect(share(({ seed }) => seed.deliveryType === type)).toBeGreaterThan(0.01)
  expect(share(({ seed }) => seed.region === 'Global')).toBeGreaterThan(0.5)
  expect(
    share(({ seed }) => seed.releaseDate !== null && Date.parse(seed.releaseDate) > now),
  ).toBeGreaterThan(0.005)
})

test('activation countries match the region', () => {
  const europe = new Set(regions.europe.split(' '))
  const codes = new Map(regions.countries.map(({ name, code }) => [name, code]))
  expect(some.some(({ seed }) => seed.activation === null)).toBe(true)
  for (const { seed } of some) {
    if (seed.activation === null) continue
    const { excludedCountries, allowedCountryCount } = seed.activation
    const excluded = new Set(excludedCountries)
    expect(excluded.size).toBe(excludedCountries.length)
    if (allowedCountryCount !== null)
      expect(excludedCountries.length + allowedCountryCount).toBe(249)
    if (seed.region === 'Europe')
      expect(regions.allCountries.split(' ').filter((code) => !excluded.has(code))).toEqual([
        ...europe,
      ])
    const code = codes.get(seed.region)
    if (code !== undefined)
      expect(regions.allCountries.split(' ').filter((other) => !excluded.has(other))).toEqual([
        code,
      ])
    if (seed.region === 'Global') expect(excludedCountries.length).toBeLessThan(12)
  }
})

test('type, delivery, platform and texts of a product match', () => {
  for (const { seed, marketPrice } of some) {
    if (seed.description === null) continue
    if (seed.productType === 'gift-card' || seed.productType === 'game-point')
      expect(seed.deliveryType).toBe('key')
    if (seed.productType === 'dlc') expect(seed.deliveryType).not.toBe('account')
    if (seed.deliveryType === 'gift')
      expect(['Steam', 'GOG', 'Xbox', 'Epic']).toContain(seed.platform)
    if (
      seed.platform === 'Xbox' ||
      seed.platform === 'PlayStation' ||
      seed.platform === 'Nintendo'
    ) {
      expect(seed.systemRequirements).toEqual([])
    } else if (seed.productType === 'game') {
      expect(seed.systemRequirements).toContainEqual(expect.objectContaining({ system: 'Windows' }))
    }
    if (seed.productType === 'game') {
      expect(seed.releaseDate).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(seed.genres.length).toBeGreaterThan(0)
    }
    const sentences = seed.description.match(/[.!?](?= |$)/g)?.length ?? 0
    expect(sentences).toBeGreaterThanOrEqual(1)
    expect(sentences).toBeLessThanOrEqual(6)
    expect(`${seed.name} ${seed.description} ${seed.activationDetails ?? ''}`).not.toMatch(
      /[{}]|undefined|null|NaN|\.\.| {2}/,
    )
    expect(seed.activationDetails).toMatch(/^1\. .+\n2\. .+\n3\. .+$/)
    expect(marketPrice).toBeGreaterThanOrEqual(49)
    expect(seed.createdAt).toBeLessThan(seed.updatedAt)
    expect(seed.updatedAt).toBeLessThan(now)
    expect(URL.canParse(seed.url ?? '')).toBe(true)
  }
})

test("a gift card names an amount in its region's currency", () => {
  const cards = some.filter(({ seed }) => seed.productType === 'gift-card')
  const currencies = new Map([
    ...regions.countries.map(({ name, currency }) => [name, currency] as const),
    ['Europe', 'EUR'] as const,
  ])
  for (const { seed } of cards)
    expect(seed.name).toMatch(
      new RegExp(`^.+ Gift Card [\\d,]+ ${currencies.get(seed.region) ?? '-'}$`),
    )
})

test('every name fits on a cover in full', () => {
  for (const { seed } of some) expect(drawable(seed.name)).toBe(seed.name)
})

test('some products have no texts, pictures or links', () => {
  const bare = some.filter(({ seed }) => seed.description === null)
  expect(bare.length).toBeGreaterThan(some.length / 200)
  for (const { seed } of bare)
    expect([seed.coverImage, seed.url, seed.activationDetails, seed.screenshots]).toEqual([
      null,
      null,
      null,
      [],
    ])
})
