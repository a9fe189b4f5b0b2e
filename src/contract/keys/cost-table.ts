import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { accountIdSchema, centsSchema, procedure } from '../base.ts'

/** The most lines of one table of costs. */
export const MOST_COST_LINES = 20_000

const account = z.object({ accountId: accountIdSchema })
/** What a key of an offer or of a batch cost; null: not known. */
const costSchema = z.object({
  of: z.enum(['offer', 'batch']),
  id: z.string().max(200),
  costCents: centsSchema.min(0).max(10_000_000).nullable(),
})
export type KeyCost = z.infer<typeof costSchema>

const costLineSchema = z.object({
  /** Counts from 1, as in an editor. */
  line: z.number().int(),
  /** The line's offer or batch; null if it names none. */
  target: costSchema
    .pick({ of: true, id: true })
    .extend({
      name: z.string(),
      platform: z.string(),
      region: z.string(),
      deliveryType: z.string(),
      beforeCents: centsSchema.nullable(),
    })
    .nullable(),
  /** The cells of the line, shortened. */
  text: z.string(),
  costCents: centsSchema.nullable(),
  /** Why the line can't be used; null: it can. */
  reason: z.string().nullable(),
})
export type CostLine = z.infer<typeof costLineSchema>

/** Costs of keys from a table, by offer or by batch. They are stored only on this computer. */
export const costTableContract = {
  /**
   * Reads a table (CSV or TSV) of offer or batch ids and costs per key in EUR, also the exported
   * table of offers. Nothing is saved. Lines after {@link MOST_COST_LINES} are left out. The lines
   * arrive in parts, because a single message would block the page. `left`: the lines left out.
   */
  read: procedure
    .input(account.extend({ text: z.string().max(20_000_000) }))
    .output(eventIterator(z.object({ lines: z.array(costLineSchema), left: z.number().int() }))),
  /** Saves costs in one step. Returns those that it replaced; unknown ids are skipped. */
  save: procedure
    .input(account.extend({ costs: z.array(costSchema).max(MOST_COST_LINES) }))
    .output(z.object({ before: z.array(costSchema) })),
}
