import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { accountSchema } from './accounts.ts'
import { activitySchema } from './app.ts'
import { accountIdSchema, instantSchema, procedure, windowSchema } from '../base.ts'

export const activityViews = ['all', 'failed', 'unknown'] as const

/** Which entries of the activity log to list. */
const choice = z.object({
  /** Null lists entries of all accounts and those that belong to none. */
  accountId: accountIdSchema.nullable().default(null),
  view: z.enum(activityViews).default('all'),
  /** Word prefixes, in any order, of the description, detail, code, status or request id. */
  query: z.string().max(200).default(''),
  /** Entries from the start of this moment's hour on. */
  from: instantSchema.nullable().default(null),
})

/** A removed account as it was then. */
export const removedAccountSchema = accountSchema
  .pick({ name: true, role: true, mode: true })
  .extend({ accountId: accountIdSchema, removedAt: instantSchema })
export type RemovedAccount = z.infer<typeof removedAccountSchema>

/** Every request and background job of this console, newest first. No entry contains a secret. */
export const activityContract = {
  list: procedure.input(choice.extend({ window: windowSchema.prefault({}) })).output(
    z.object({
      total: z.number().int(),
      rows: z.array(activitySchema),
      views: z.record(z.enum(activityViews), z.number().int()),
      /** Matches are counted up to this number; null counts all entries. */
      countedUpTo: z.number().int().nullable(),
    }),
  ),
  /**
   * Accounts that were removed from this computer and still have entries, newest first. Their ids
   * select their entries in `list` and `export`.
   */
  removedAccounts: procedure.output(z.array(removedAccountSchema)),
  /**
   * The matching entries as CSV or as text for pasting into a spreadsheet; at most the newest
   * 100,000. The text arrives in parts.
   */
  export: procedure
    .input(choice.extend({ form: z.enum(['csv', 'text']).default('csv') }))
    .output(
      eventIterator(
        z.object({ fileName: z.string(), entries: z.number().int(), text: z.string() }),
      ),
    ),
}
