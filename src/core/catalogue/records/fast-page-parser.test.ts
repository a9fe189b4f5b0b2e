import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endpointOf } from '../../../../server/api/endpoints/endpoints.ts'
import type { ResponseBody } from '../../../../server/api/handlers.ts'
import { partnerPage } from '../sync/page-source.ts'
import { parseFast } from './fast-page-parser.ts'
import { servedProduct } from '../testing/service.ts'

const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(
    '',
    ',"description":',
    '\\,"updatedAt":',
    '","updatedAt":"',
    'Größe “x” 🎮',
    '\u0000\u2028\\"',
  ),
)
const maybe = fc.option(text)
const texts = fc.array(text, { maxLength: 3 })
const product = fc.record({
  id: text,
  name: text,
  platform: text,
  region: text,
  productType: text,
  deliveryType: text,
  price: fc.integer({ min: -500, max: 999_999 }).map((cents) => cents / 100),
  currency: text,
  inStock: fc.boolean(),
  qty: fc.option(fc.nat(99)),
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
  systemRequirements: fc.oneof(
    fc.constant(null),
    fc.array(fc.record({ system: text, requirement: texts }), { maxLength: 2 }),
    fc.constantFrom<unknown>({ a: 1, description: 'x', updatedAt: 'y' }),
  ),
  url: maybe,
  updatedAt: fc.constantFrom('2026-02-01T10:00:00.000Z', '', 'soon'),
  removed: fc.boolean(),
})
/**
 * Changes that make a product differ from the bundled service's format, or that no service can
 * send.
 */
type Told = Record<string, unknown>
const oddities = fc.constantFrom<(product: Told) => Told>(
  (each) => ({ ...each, more: 1 }),
  ({ url, ...each }) => ({ url, ...each }),
  ({ url, removed, ...each }) => ({ ...each, url, removed }),
  ({ name: _name, ...each }) => each,
  (each) => ({ ...each, qty: 100 }),
  (each) => ({ ...each, price: 1.005 }),
  (each) => ({ ...each, price: '3' }),
  (each) => ({ ...each, languages: [1] }),
  (each) => ({ ...each, description: 5 }),
  (each) => ({ ...each, activation: {} }),
)
const oddity = fc.oneof(
  { weight: 6, arbitrary: fc.constant((each: Told) => each) },
  { weight: 1, arbitrary: oddities },
)
const page = fc.record({
  page: fc.option(fc.nat(9)),
  limit: fc.constant(100),
  total: fc.option(fc.nat()),
  totalPages: fc.option(fc.nat()),
  nextCursor: maybe,
  hasMore: fc.boolean(),
  results: fc.array(
    fc.tuple(product, oddity).map(([each, odd]) => odd(each)),
    { minLength: 1, maxLength: 4 },
  ),
})
const schema = endpointOf('listProducts').responses[200]?.tolerant
const quickly = (json: string) => parseFast(json, Buffer.from(json))
/** A page in the mirror's format, with texts parsed. */
function told(body: ResponseBody<'listProducts'>, cut?: Uint8Array[]) {
  const { products, size: _size, ...rest } = partnerPage(body, cut)
  return {
    ...rest,
    products: products.map((each) => ({
      ...each,
      texts: JSON.parse(Buffer.from(each.texts ?? '').toString()) as unknown,
    })),
  }
}

test("the fast reader gives the schema's result, and rejects all that the schema rejects", () => {
  let [quick, left] = [0, 0]
  fc.assert(
    fc.property(page, fc.constantFrom(undefined, undefined, undefined, 1), (any, indent) => {
      const json = JSON.stringify(any, null, indent)
      const known = quickly(json)
      if (known === null) return void (left += 1)
      quick += 1
      expect(told(known.body, known.texts)).toEqual(
        told(schema?.parse(JSON.parse(json)) as ResponseBody<'listProducts'>),
      )
    }),
    { numRuns: 400 },
  )
  expect(Math.min(quick, left)).toBeGreaterThan(40)
})

test('reads a page of the bundled service fast, and keeps its texts byte for byte', () => {
  const { price: _price, ...plain } = servedProduct('prd_1', { description: 'Größe "x" ™' })
  const json = JSON.stringify({
    page: 1,
    limit: 100,
    total: 1,
    totalPages: 1,
    nextCursor: 'a',
    hasMore: false,
    results: [plain, { ...plain, id: 'prd_2' }].map((each) => inOrder({ ...each, price: 12.3 })),
  })
  const known = quickly(json)
  expect(known?.body.results.map(({ id, price }) => [id, price])).toEqual([
    ['prd_1', 1230],
    ['prd_2', 1230],
  ])
  expect(known?.texts.map((each) => Buffer.from(each).toString())).toEqual(
    [...json.matchAll(/,("description":.*?),"updatedAt":/g)].map(([, members]) => `{${members}}`),
  )
})

/** Members in the bundled service's order. */
function inOrder({
  id,
  name,
  platform,
  region,
  productType,
  deliveryType,
  price,
  ...rest
}:
  | ReturnType<typeof servedProduct>
  | (Omit<ReturnType<typeof servedProduct>, 'price'> & { price: number })) {
  return { id, name, platform, region, productType, deliveryType, price, ...rest }
}

test('leaves members that are repeated or out of place to the schema', () => {
  const one = JSON.stringify(inOrder(servedProduct('prd_1', { url: 'https://shop.example/1' })))
  const paged = (...products: string[]): string =>
    '{"page":1,"limit":100,"total":1,"totalPages":1,"nextCursor":null,"hasMore":false,' +
    `"results":[${products.join(',')}]}`
  expect(quickly(paged(one, one))).not.toBeNull()
  for (const odd of [
    one.replace('"removed":false', '"removed":false,"description":"b"'),
    one.replace(',"description"', ', "description"'),
    one.replace('"url"', '"updatedAt":"b","url"'),
    one.replace(/("url":"[^"]*"),("updatedAt":"")/, '$2,$1'),
    'x',
  ]) {
    expect(quickly(paged(one, odd))).toBeNull()
  }
  expect(
    parseFast(paged(one), Buffer.concat([Buffer.from(paged(one)), Buffer.from([0xff])])),
  ).toBeNull()
})
