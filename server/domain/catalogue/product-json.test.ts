import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cents, priceFactor, timesFactor } from '../../api/money.ts'
import { deliveryTypes, productTypes } from '../../api/schemas/enums.ts'
import type { ProductDetails, ProductFacts } from '../ports/catalogue.ts'
import { createProductWriter } from './product-json.ts'

const ORIGIN = 'http://127.0.0.1:4600'

const text = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 12 }).map((any) => any.toWellFormed()),
  fc.constantFrom(
    '',
    '/',
    '"/',
    '/media/covers/a.png',
    'https://cdn.example/a.png',
    '"coverImage":"/',
    '"screenshots":["/',
    ']',
    'Größe “x” ™ 🎮',
    '\u0000\u001f\\"\u2028',
    '\\',
    '/a\\',
  ),
)
const maybe = fc.option(text)
const texts = fc.array(text, { maxLength: 3 })
const details: fc.Arbitrary<ProductDetails> = fc.record({
  activation: fc.option(
    fc.record({ excludedCountries: texts, allowedCountryCount: fc.option(fc.nat(200)) }),
  ),
  description: maybe,
  activationDetails: maybe,
  languages: texts,
  genres: texts,
  developer: maybe,
  publisher: maybe,
  releaseDate: maybe,
  ageRating: maybe,
  coverImage: maybe,
  screenshots: texts,
  systemRequirements: fc.array(fc.record({ system: text, requirement: texts }), { maxLength: 2 }),
  url: maybe,
})
const facts: fc.Arbitrary<ProductFacts> = fc.record({
  id: text,
  name: text,
  platform: text,
  region: text,
  productType: fc.constantFrom(...productTypes),
  deliveryType: fc.constantFrom(...deliveryTypes),
  removed: fc.constantFrom(0, 1),
  supplyUnknown: fc.constantFrom(0, 1),
  lowPrice: fc.nat(1_000_000).map(cents),
  qty: fc.nat(99),
  updatedAt: fc.oneof(
    fc.integer({ min: 0, max: 4_102_444_800_000 }),
    fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 }),
  ),
})
const products = fc.array(fc.record({ facts, details }), { maxLength: 5 })

/**
 * A simple reference implementation: the complete response as an object, with absolute addresses
 * for the service's own pictures.
 */
function referenceJson(
  { facts: row, details: stored }: { facts: ProductFacts; details: ProductDetails },
  factor: number,
): object {
  const absolute = (url: string): string => (url.startsWith('/') ? ORIGIN + url : url)
  const { id, name, platform, region, productType, deliveryType } = row
  const { coverImage, screenshots } = stored
  return {
    id,
    name,
    platform,
    region,
    productType,
    deliveryType,
    price: timesFactor(row.lowPrice, priceFactor(factor)) / 100,
    currency: 'EUR',
    inStock: row.qty > 0,
    qty: row.supplyUnknown === 1 ? null : row.qty,
    ...stored,
    coverImage: coverImage === null ? null : absolute(coverImage),
    screenshots: screenshots.map(absolute),
    updatedAt: new Date(row.updatedAt).toISOString(),
    removed: row.removed === 1,
  }
}

const writer = createProductWriter()
const factors = fc.constantFrom(1, 0.9, 1.05, 1.2345, 3)

it('writes pages byte for byte as JSON.stringify would, whatever the texts are', () => {
  fc.assert(
    fc.property(products, factors, fc.boolean(), (some, factor, hasMore) => {
      const stored = some.map((each) => Buffer.from(JSON.stringify(each.details)))
      const rows = some.map((each, index) => ({ ...each.facts, size: stored[index]?.length ?? 0 }))
      const written = Buffer.from(
        writer.page(
          { page: null, nextCursor: 'ö', hasMore },
          { rows, details: Buffer.concat(stored) },
          priceFactor(factor),
          ORIGIN,
        ),
      ).toString()
      expect(written).toBe(
        JSON.stringify({
          page: null,
          nextCursor: 'ö',
          hasMore,
          results: some.map((each) => referenceJson(each, factor)),
        }),
      )
    }),
    { numRuns: 300 },
  )
})

it('handles products of any size, and returns separate bytes for each response', () => {
  const [row] = fc.sample(facts, { numRuns: 1, seed: 1 })
  const [some] = fc.sample(details, { numRuns: 1, seed: 1 })
  if (row === undefined || some === undefined) throw new Error('nothing was made')
  const large = { ...some, description: 'ä'.repeat(2_000_000) }
  const first = writer.one(row, Buffer.from(JSON.stringify(some)), priceFactor(1), ORIGIN)
  const before = Buffer.from(first).toString()
  const second = writer.one(row, Buffer.from(JSON.stringify(large)), priceFactor(1), ORIGIN)
  expect(JSON.parse(Buffer.from(second).toString())).toMatchObject({
    description: large.description,
  })
  expect(Buffer.from(first).toString()).toBe(before)
})
