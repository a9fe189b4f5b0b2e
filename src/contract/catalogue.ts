import { z } from 'zod'
import {
  accountIdSchema,
  centsSchema,
  instantSchema,
  procedure,
  sortSchema,
  windowSchema,
} from './base.ts'

/**
 * One row of the catalogue. A value that the account's API doesn't report is null and shown as
 * unknown.
 */
export const productRowSchema = z.object({
  productId: z.string(),
  name: z.string(),
  platform: z.string(),
  region: z.string(),
  productType: z.string(),
  deliveryType: z.string(),
  /**
   * Partner: the unit price to pay. Seller: the lowest customer price in the shop, or null without
   * stock.
   */
  priceCents: centsSchema.nullable(),
  /** Seller accounts only: the lowest seller price among offers with stock. */
  bestSellerCents: centsSchema.nullable(),
  inStock: z.boolean().nullable(),
  /** Units, capped at 99 ("99+" on the screen). Null if unknown. */
  qty: z.number().int().nullable(),
  /**
   * Whether it can be activated in the filter's country, as far as the API reports it. Null if no
   * country is chosen.
   */
  activates: z.enum(['yes', 'unknown', 'no']).nullable(),
  /** The account's own offer for this product. Seller accounts only. */
  offerId: z.string().nullable(),
  updatedAt: instantSchema.nullable(),
})
export type ProductRow = z.infer<typeof productRowSchema>

export const catalogueFilterSchema = z.object({
  /** Words in any order, prefixes of words, small typing mistakes; or a product id. */
  query: z.string().max(200).default(''),
  platforms: z.array(z.string()).default([]),
  regions: z.array(z.string()).default([]),
  productTypes: z.array(z.string()).default([]),
  deliveryTypes: z.array(z.string()).default([]),
  inStockOnly: z.boolean().default(false),
  notSoldByMe: z.boolean().default(false),
  /** ISO 3166-1 alpha-2. With it, `activates` filters by yes, unknown and no. */
  country: z.string().length(2).nullable().default(null),
  activates: z.array(z.enum(['yes', 'unknown', 'no'])).default(['yes', 'unknown']),
  minCents: centsSchema.nullable().default(null),
  maxCents: centsSchema.nullable().default(null),
})
export type CatalogueFilter = z.infer<typeof catalogueFilterSchema>

const countedSchema = z.array(z.object({ value: z.string(), count: z.number().int() }))

export const productDetailSchema = productRowSchema.extend({
  description: z.string().nullable(),
  activationDetails: z.string().nullable(),
  excludedCountries: z.array(z.string()).nullable(),
  allowedCountryCount: z.number().int().nullable(),
  languages: z.array(z.string()),
  genres: z.array(z.string()),
  developer: z.string().nullable(),
  publisher: z.string().nullable(),
  releaseDate: z.string().nullable(),
  ageRating: z.string().nullable(),
  systemRequirements: z.array(z.object({ system: z.string(), requirement: z.array(z.string()) })),
  url: z.string().nullable(),
  hasCover: z.boolean(),
  removed: z.boolean(),
  /** Seller accounts: commission class and percent of this product. */
  commission: z.object({ class: z.string(), percent: z.number() }).nullable(),
  /**
   * The partner account whose mirror supplied stock, activation, texts and pictures. Null if it was
   * the account itself, or there is none.
   */
  detailsFrom: z.object({ accountId: accountIdSchema, name: z.string() }).nullable(),
  /** When each part was last read. */
  readAt: instantSchema.nullable(),
  /** Price and stock as observed by Keydesk, oldest first. The price is null while out of stock. */
  history: z.array(
    z.object({ at: instantSchema, priceCents: centsSchema.nullable(), inStock: z.boolean() }),
  ),
})
export type ProductDetail = z.infer<typeof productDetailSchema>

export const catalogueSortColumns = [
  'relevance',
  'name',
  'platform',
  'region',
  'price',
  'best',
  'stock',
  'updated',
] as const

/** The mirrored catalogue of one account, also available offline. */
export const catalogueContract = {
  search: procedure
    .input(
      z.object({
        accountId: accountIdSchema,
        filter: catalogueFilterSchema.prefault({}),
        /** `relevance` only with a query; otherwise sorted by name. */
        sort: sortSchema(catalogueSortColumns).nullable().default(null),
        window: windowSchema.prefault({}),
      }),
    )
    .output(
      z.object({
        total: z.number().int(),
        /** There are more than `total`: hits of a very common word aren't counted to the end. */
        more: z.boolean(),
        /** Number of all products in the mirror, for "9,318 of 48,212". */
        all: z.number().int(),
        rows: z.array(productRowSchema),
        /** The words that actually matched, if a typing mistake was corrected. */
        guessed: z.string().nullable(),
        elapsedMs: z.number(),
      }),
    ),
  /** The index of a product in a list; null if the list doesn't contain it. */
  position: procedure
    .input(
      z.object({
        accountId: accountIdSchema,
        filter: catalogueFilterSchema.prefault({}),
        sort: sortSchema(catalogueSortColumns).nullable().default(null),
        productId: z.string(),
      }),
    )
    .output(z.object({ index: z.number().int().nullable() })),
  /** Counts for every choice the products it would leave, given all other choices. */
  counts: procedure
    .input(z.object({ accountId: accountIdSchema, filter: catalogueFilterSchema.prefault({}) }))
    .output(
      z.object({
        platforms: countedSchema,
        regions: countedSchema,
        productTypes: countedSchema,
        deliveryTypes: countedSchema,
        inStock: z.number().int(),
        notSoldByMe: z.number().int(),
        activates: z
          .object({ yes: z.number().int(), unknown: z.number().int(), no: z.number().int() })
          .nullable(),
      }),
    ),
  product: procedure
    .input(z.object({ accountId: accountIdSchema, productId: z.string() }))
    .output(productDetailSchema),
  /**
   * The cover picture, fetched once and cached by the core. Null if there is none or it isn't
   * available now.
   */
  cover: procedure
    .input(z.object({ accountId: accountIdSchema, productId: z.string() }))
    .output(z.object({ contentType: z.string(), base64: z.string() }).nullable()),
  /** Progress of the catalogue's sync. `done` equals `total` at the end of a full one. */
  sync: procedure.input(z.object({ accountId: accountIdSchema })).output(
    z.object({
      state: z.enum(['never', 'running', 'idle', 'failed']),
      kind: z.enum(['full', 'changes']).nullable(),
      done: z.number().int(),
      total: z.number().int().nullable(),
      lastAt: instantSchema.nullable(),
      nextAt: instantSchema.nullable(),
    }),
  ),
}
