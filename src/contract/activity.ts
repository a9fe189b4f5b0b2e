import { z } from 'zod'
import { activitySchema } from './app.ts'
import { accountIdSchema, instantSchema, procedure, windowSchema } from './base.ts'

export const activityViews = ['all', 'failed', 'unknown'] as const

/** What is looked for in the activity. */
const choice = z.object({
  /** Null: of all accounts, and what belongs to none. */
  accountId: accountIdSchema.nullable().default(null),
  view: z.enum(activityViews).default('all'),
  /** Beginnings of words of what was done, its detail, code, status or request, in any order. */
  query: z.string().max(200).default(''),
  /** From the hour of this moment on. */
  from: instantSchema.nullable().default(null),
})

/** Every request and job of this console, newest first; no entry holds a secret. */
export const activityContract = {
  list: procedure.input(choice.extend({ window: windowSchema.prefault({}) })).output(
    z.object({
      total: z.number().int(),
      rows: z.array(activitySchema),
      views: z.record(z.enum(activityViews), z.number().int()),
      /** Words found more than this often are counted up to it; null: everything is counted. */
      countedUpTo: z.number().int().nullable(),
    }),
  ),
  /**
   * The same whole as CSV, or as text that spreadsheets take from the clipboard; the newest 100,000
   * of it.
   */
  export: procedure
    .input(choice.extend({ form: z.enum(['csv', 'text']).default('csv') }))
    .output(z.object({ fileName: z.string(), entries: z.number().int(), base64: z.string() })),
}
