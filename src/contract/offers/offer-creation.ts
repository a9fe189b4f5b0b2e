import { z } from 'zod'
import { accountIdSchema, centsSchema, procedure, windowSchema } from '../base.ts'
import { bulkSchema, confirmationFields, planPageSchema } from './offer-bulk.ts'

/**
 * How the price of a new offer is set: the customer pays the shop's price, an amount below it, or a
 * percentage (in hundredths) above or below it; `given` uses the price from the table and leaves
 * out lines without one.
 */
const newPriceSchema = z.discriminatedUnion('by', [
  z.object({ by: z.literal('shop') }),
  z.object({ by: z.literal('undercut'), cents: centsSchema.min(1).max(1_000_000) }),
  z.object({ by: z.literal('percent'), hundredths: z.number().int().min(-9900).max(100_000) }),
  z.object({ by: z.literal('given') }),
])
export type NewPrice = z.infer<typeof newPriceSchema>

/** A product id, and the price that the seller receives if the table has one. */
const itemSchema = z.object({
  productId: z.string().min(1).max(200),
  priceCents: centsSchema.min(1).max(10_000_000).nullable().default(null),
})
export type NewOfferItem = z.infer<typeof itemSchema>

/**
 * A table line that can't be read; the other lines are used. `line` counts from 1, as in an editor.
 */
const unreadLineSchema = z.object({ line: z.number().int(), text: z.string(), reason: z.string() })

/** Products, or a table that was read before, by its id. */
const sourceSchema = z.union([
  z.object({ items: z.array(itemSchema).min(1).max(20_000) }),
  z.object({ tableId: z.string() }),
])
export type NewOfferSource = z.infer<typeof sourceSchema>

const requestInput = z.object({
  accountId: accountIdSchema,
  source: sourceSchema,
  price: newPriceSchema,
  status: z.enum(['active', 'paused']).default('active'),
})

/** Bulk creation of offers, from the catalogue or from a table of products and prices. */
export const offerCreationContract = {
  /**
   * Reads a table (CSV or TSV) of product ids or exact names, and prices in EUR that the seller
   * receives. A header line is detected automatically. The core keeps the table until it stops, so
   * that its lines don't travel with every request.
   */
  read: procedure
    .input(z.object({ accountId: accountIdSchema, text: z.string().max(8_000_000) }))
    .output(
      z.object({
        tableId: z.string(),
        /** Number of readable lines. */
        lines: z.number().int(),
        wrong: z.array(unreadLineSchema),
        wrongCount: z.number().int(),
        priced: z.number().int(),
      }),
    ),
  preview: procedure
    .input(requestInput.extend({ window: windowSchema.prefault({}) }))
    .output(planPageSchema),
  start: procedure.input(requestInput.extend(confirmationFields)).output(bulkSchema),
}
