import { z } from 'zod'
import { instantSchema, problemSchema } from '../base.ts'
import { fileCountsSchema, lineOutcomeSchema, lineReasonSchema } from './import-records.ts'

/** An import that is undone on one offer: its keys are withdrawn into the vault. */
export const importUndoSchema = z.object({
  offerId: z.string(),
  offerName: z.string(),
  platform: z.string(),
  region: z.string(),
  deliveryType: z.string(),
  /**
   * The steps run in order, for one offer after another: `queued` waits for another one. `stopped`
   * needs the user (see `problem`).
   */
  state: z.enum([
    'queued',
    'pausing',
    'withdrawing',
    'planning',
    'returning',
    'restoring',
    'stopped',
    'done',
  ]),
  startedAt: instantSchema,
  endedAt: instantSchema.nullable(),
  /**
   * Keys of this import that are now in the vault; other keys of the offer, and how many of them
   * were uploaded again or, because their upload was canceled before a response, may have been.
   */
  takenBack: z.number().int(),
  toReturn: z.number().int(),
  returned: z.number().int(),
  inDoubt: z.number().int(),
  withdrawalId: z.string(),
  problem: problemSchema.nullable(),
})
export type ImportUndo = z.infer<typeof importUndoSchema>

/** Preview of an undo. Counts are as of the last sync with the service. */
export const undoPlanSchema = z.object({
  offerId: z.string(),
  offerName: z.string(),
  platform: z.string(),
  region: z.string(),
  deliveryType: z.string(),
  /** Keys the service added from this import, and how many of them were withdrawn before. */
  added: z.number().int(),
  gone: z.number().int(),
  /**
   * Keys on the offer. All of them are withdrawn; keys of other imports and consoles are uploaded
   * again.
   */
  stock: z.number().int(),
  requests: z.number().int(),
  /** The service repeats lost responses, so no key can be lost during the withdrawal. */
  safe: z.boolean(),
  /** Why the undo isn't possible now; null if it is. */
  problem: problemSchema.nullable(),
})
export type UndoPlan = z.infer<typeof undoPlanSchema>

/** The lines of one reason and outcome in a file. */
const reasonLinesSchema = z.object({
  reason: lineReasonSchema,
  fate: lineOutcomeSchema,
  count: z.number().int(),
  /** The first lines as ranges: "3, 7–9, 20". */
  lines: z.string(),
  /** Whether `lines` names all of them. */
  isComplete: z.boolean(),
})

/** The outcome of every line of an import, file by file. */
export const importReportSchema = z.object({
  files: z.array(
    z.object({
      name: z.string(),
      read: z.number().int(),
      /** What reading found; null for imports uploaded by an earlier version of Keydesk. */
      counts: fileCountsSchema.nullable(),
      reasons: z.array(reasonLinesSchema),
      cleaned: z.number().int(),
      refused: z.number().int(),
      /** The service's results for the lines that were sent. */
      added: z.number().int(),
      duplicates: z.number().int(),
      unsure: z.number().int(),
      notTaken: z.number().int(),
      /** Lines that the user excluded after their response was lost. They may be on their offer. */
      excluded: z.number().int(),
      /** Ready lines without a result, because the upload was canceled. */
      notSent: z.number().int(),
    }),
  ),
  /** Keys the service rejected or the user excluded, saved for export. */
  unaccepted: z.number().int(),
  /** Of these, keys the user excluded. */
  excluded: z.number().int(),
  /** Whether the result of every line can be exported. */
  hasLines: z.boolean(),
  /** Lines without an offer or set aside that are saved, and the import that continues with them. */
  remaining: z.object({
    lines: z.number().int(),
    continuedBy: z
      .object({ importId: z.string(), number: z.number().int(), isDraft: z.boolean() })
      .nullable(),
  }),
  undos: z.array(importUndoSchema),
})
export type ImportReport = z.infer<typeof importReportSchema>
