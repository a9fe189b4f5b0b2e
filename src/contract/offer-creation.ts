import { z } from 'zod'
import { accountIdSchema, centsSchema, procedure, windowSchema } from './base.ts'
import { bulkLineSchema, bulkSchema, bulkSummarySchema, confirmedShape } from './offer-bulk.ts'

/**
 * How a new offer's price is found: the customer pays the shop's price, a cent less, or so many
 * hundredths of a percent more or less of it; or what the table says one receives, and where it
 * says nothing, the line is left out.
 */
const newPriceSchema = z.discriminatedUnion('by', [
  z.object({ by: z.literal('shop') }),
  z.object({ by: z.literal('undercut'), cents: centsSchema.min(1).max(1_000_000) }),
  z.object({ by: z.literal('percent'), hundredths: z.number().int().min(-9900).max(100_000) }),
  z.object({ by: z.literal('given') }),
])
export type NewPrice = z.infer<typeof newPriceSchema>

/** A product by its id, with the price one receives where one is given. */
const itemSchema = z.object({
  productId: z.string().min(1).max(200),
  priceCents: centsSchema.min(1).max(10_000_000).nullable().default(null),
})
export type NewOfferItem = z.infer<typeof itemSchema>

/**
 * A line of a table that can't be read; the others go on. `line` counts from 1, as an editor does.
 */
const unreadLineSchema = z.object({ line: z.number().int(), text: z.string(), reason: z.string() })

const wish = z.object({
  accountId: accountIdSchema,
  items: z.array(itemSchema).min(1).max(20_000),
  price: newPriceSchema,
  status: z.enum(['active', 'paused']).default('active'),
})

/** Many new offers at once, from the catalogue or a table of products and prices. */
export const offerCreationContract = {
  /**
   * Reads a table (csv, tsv) of product id or exact name, and price in EUR that one receives; a
   * header is found by itself.
   */
  read: procedure
    .input(z.object({ accountId: accountIdSchema, text: z.string().max(8_000_000) }))
    .output(
      z.object({
        items: z.array(itemSchema),
        wrong: z.array(unreadLineSchema),
        wrongCount: z.number().int(),
        priced: z.number().int(),
      }),
    ),
  preview: procedure.input(wish.extend({ window: windowSchema.prefault({}) })).output(
    z.object({
      summary: bulkSummarySchema,
      total: z.number().int(),
      rows: z.array(bulkLineSchema),
    }),
  ),
  start: procedure.input(wish.extend(confirmedShape)).output(bulkSchema),
}
