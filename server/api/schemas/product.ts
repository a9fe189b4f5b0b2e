/** Product, GET /products and GET /meta of the Partner API (Decisions 9 to 13). */
import { UNITS_PER_LINE } from '../limits.ts'
import { z } from 'zod'
import { amount, date, listOf, dateTime, orNull, resource, closedList, label } from './resource.ts'
import { booleanText, instantInput, oneOf, text } from './values.ts'
import { deliveryTypes, productTypes } from './enums.ts'
import { limitText, pageText } from './paging.ts'

const activation = resource({
  excludedCountries: z.array(z.string()),
  allowedCountryCount: z.int().nullable(),
})

const systemRequirement = resource({ system: z.string(), requirement: z.array(z.string()) })

/**
 * `systemRequirements` is "any" in the document: a client accepts any value, and the backend sends
 * the list described here.
 */
const systemRequirements = { strict: listOf(systemRequirement).strict, tolerant: z.unknown() }

export const product = resource({
  id: z.string(),
  name: label,
  platform: label,
  region: label,
  productType: closedList(productTypes),
  deliveryType: closedList(deliveryTypes),
  price: amount,
  currency: z.string(),
  inStock: z.boolean(),
  qty: z.int().min(0).max(99).nullable(),
  activation: orNull(activation),
  description: z.string().nullable(),
  activationDetails: z.string().nullable(),
  languages: z.array(z.string()),
  genres: z.array(z.string()),
  developer: z.string().nullable(),
  publisher: z.string().nullable(),
  releaseDate: orNull(date),
  ageRating: z.string().nullable(),
  coverImage: z.string().nullable(),
  screenshots: z.array(z.string()),
  systemRequirements,
  url: z.string().nullable(),
  updatedAt: dateTime,
  removed: z.boolean(),
})

/** The unit price from a number of units on (Decision 35). */
const priceTier = resource({ minQty: z.int().min(1).max(UNITS_PER_LINE), unitPrice: amount })

/** GET /products/{id}, which also has the unit prices of several units (Decision 35). */
export const productWithTiers = resource(product.named, { priceTiers: listOf(priceTier) })

/** One page by number (`page`, `total`, `totalPages` set) or by cursor (all three null). */
export const productPage = resource({
  page: z.int().nullable(),
  limit: z.int(),
  total: z.int().nullable(),
  totalPages: z.int().nullable(),
  nextCursor: z.string().nullable(),
  hasMore: z.boolean(),
  results: listOf(product),
})

const idsOf = (lists: string | string[]): string[] =>
  [lists].flat().flatMap((list) => list.split(',').map((id) => id.trim()))

/**
 * Query of GET /products. The handler checks which of `page`, `updatedSince` and `cursor` can be
 * combined, and whether a cursor belongs to these filters (Decision 11); therefore `page` and
 * `limit` have no default here.
 */
export const productQuery = z.object({
  page: pageText.optional(),
  limit: limitText.optional(),
  cursor: text.min(1, 'must not be empty').optional(),
  updatedSince: instantInput.optional(),
  inStock: booleanText.optional(),
  platform: text.optional(),
  region: text.optional(),
  productType: oneOf(productTypes).optional(),
  deliveryType: oneOf(deliveryTypes).optional(),
  search: text.min(2, 'must have at least 2 characters').optional(),
  ids: z
    .codec(
      // `ids=a,b`, or the repeated form `ids=a&ids=b` that some clients send (Decision 36).
      z
        .union([z.string(), z.array(z.string())])
        .refine((lists) => idsOf(lists).length <= 100, {
          error: 'must be at most 100 ids',
          abort: true,
        })
        .refine((lists) => idsOf(lists).every((id) => id !== ''), {
          error: 'must be product ids separated by commas',
          abort: true,
        }),
      z.array(z.string()),
      { decode: idsOf, encode: (ids) => ids.join(',') },
    )
    .optional(),
  includeRemoved: booleanText.optional(),
})
export type ProductQuery = z.output<typeof productQuery>

const counted = listOf(resource({ value: z.string(), count: z.int() }))

/** GET /meta (Decision 10). The document shows no body, so a client requires no fields. */
export const meta = resource(
  {},
  { platforms: counted, regions: counted, productTypes: counted, deliveryTypes: counted },
)
export type Meta = z.output<typeof meta.strict>
