import { z } from 'zod'
import { plainExportPhraseSchema } from '../app/vault.ts'
import { accountIdSchema, centsSchema, problemSchema, procedure } from '../base.ts'
import { keyOutcomeSchema } from './batches.ts'
import {
  doubtChoiceSchema,
  fileRef,
  fileSettingsSchema,
  importLineSchema,
  importProfileSchema,
  importRef,
  importSchema,
  lineOutcomeSchema,
  missingOfferSchema,
  setAsideReasonSchema,
} from './import-records.ts'
import { importReportSchema, undoPlanSchema } from './import-reports.ts'

const confirmedRef = importRef.extend({ typed: plainExportPhraseSchema })

/**
 * Bulk key import: files are received, every line is classified, each key is uploaded once, and
 * every line is accounted for.
 */
export const importsContract = {
  list: procedure.input(z.object({ accountId: accountIdSchema })).output(
    z.array(
      importSchema
        .omit({
          sendsRepeats: true,
          sumsBefore: true,
          purchases: true,
          files: true,
          problems: true,
          offers: true,
          journal: true,
        })
        .extend({ title: z.string() }),
    ),
  ),
  /** Creates a draft. */
  create: procedure.input(z.object({ accountId: accountIdSchema })).output(importSchema),
  get: procedure.input(importRef).output(importSchema),
  /**
   * Announces a file; its bytes follow in order by `writeFile`. `offerId` assigns all lines of the
   * file to one offer.
   */
  addFile: procedure
    .input(
      importRef.extend({
        name: z.string().min(1).max(1024),
        size: z.number().int().min(0),
        offerId: z.string().nullable().default(null),
        /** For pictures sent as one file, one after another: the name and size of each. */
        pictures: z
          .array(z.object({ name: z.string().max(1024), size: z.number().int().min(0) }))
          .max(10_000)
          .nullable()
          .default(null),
      }),
    )
    .output(z.object({ fileId: z.string() })),
  /**
   * Records that a file can't be sent completely because it changed, vanished or can't be read. The
   * file stays listed with the reason.
   */
  failFile: procedure
    .input(fileRef.extend({ reason: z.enum(['changed', 'unreadable']) }))
    .output(importSchema),
  /**
   * The next bytes of a file (at most 1 MiB, base64). The response is the back pressure: send the
   * next chunk after it. `last` closes the file and starts the check.
   */
  writeFile: procedure
    .input(
      fileRef.extend({
        offset: z.number().int().min(0),
        base64: z.string().max(1_500_000),
        last: z.boolean(),
      }),
    )
    .output(z.object({ received: z.number().int() })),
  removeFile: procedure.input(fileRef).output(importSchema),
  /** Overrides detected settings; the file is read again. */
  configureFile: procedure
    .input(fileRef.extend({ settings: fileSettingsSchema.partial() }))
    .output(importSchema),
  /** Assigns the lines of one value of the offer column to an offer; null skips them. */
  chooseOffer: procedure
    .input(fileRef.extend({ value: z.string().nullable(), offerId: z.string().nullable() }))
    .output(importSchema),
  /** Reads a file again with its current settings, for example after a full disk. */
  readAgain: procedure.input(fileRef).output(importSchema),
  /** Adds another sheet of a workbook as a separate file. */
  addSheet: procedure
    .input(fileRef.extend({ sheet: z.number().int().min(0) }))
    .output(importSchema),
  /** Sets whether keys that were uploaded before are sent anyway. */
  setRepeats: procedure.input(importRef.extend({ send: z.boolean() })).output(importSchema),
  /**
   * Sends the lines that were set aside for a reason anyway, in the files of the draft, or sets them
   * aside again.
   */
  include: procedure
    .input(importRef.extend({ reason: setAsideReasonSchema, include: z.boolean() }))
    .output(importSchema),
  /**
   * Values of a file's offer column that match no own offer, each with the catalogue product it
   * names: at most 200. `left`: the number of those that aren't listed.
   */
  missingOffers: procedure
    .input(fileRef)
    .output(z.object({ rows: z.array(missingOfferSchema), left: z.number().int() })),
  /**
   * Creates offers for values without one and assigns their lines to them. Returns one result per
   * value, in order; a failure doesn't stop the others.
   */
  createOffers: procedure
    .input(
      fileRef.extend({
        offers: z
          .array(
            z.object({
              value: z.string().nullable(),
              productId: z.string(),
              priceCents: centsSchema.min(1).max(10_000_000),
              status: z.enum(['active', 'paused']),
            }),
          )
          .min(1)
          .max(200),
      }),
    )
    .output(
      z.object({
        results: z.array(
          z.object({
            value: z.string().nullable(),
            offerId: z.string().nullable(),
            problem: problemSchema.nullable(),
          }),
        ),
        import: importSchema,
      }),
    ),
  profiles: procedure
    .input(z.object({ accountId: accountIdSchema }))
    .output(z.array(importProfileSchema)),
  /**
   * Saves how a checked file is read and which offers its lines go to. Replaces a profile with the
   * same name.
   */
  saveProfile: procedure
    .input(fileRef.extend({ name: z.string().trim().min(1).max(80) }))
    .output(importSchema),
  applyProfile: procedure.input(fileRef.extend({ profileId: z.string() })).output(importSchema),
  removeProfile: procedure
    .input(z.object({ accountId: accountIdSchema, profileId: z.string() }))
    .output(z.void()),
  lines: procedure
    .input(
      fileRef.extend({
        offset: z.number().int().min(0).default(0),
        limit: z.number().int().min(1).max(200).default(50),
        reveal: z.boolean().default(false),
        only: lineOutcomeSchema.nullable().default(null),
      }),
    )
    .output(z.object({ total: z.number().int(), rows: z.array(importLineSchema) })),
  /** Compares a checked draft with the uploads and offers of now; see `sumsBefore`. */
  recheck: procedure.input(importRef).output(importSchema),
  /**
   * Starts the upload. Fails with `CHANGED_MEANWHILE` if other lines are ready than the check has
   * shown (`ready`: their number on the screen).
   */
  upload: procedure
    .input(importRef.extend({ ready: z.number().int().nullable().default(null) }))
    .output(importSchema),
  pause: procedure.input(importRef).output(importSchema),
  resume: procedure.input(importRef).output(importSchema),
  /**
   * Cancels for good. Uploaded keys stay on their offers; waiting keys are deleted from this
   * computer.
   */
  cancel: procedure.input(importRef).output(importSchema),
  /** Deletes a draft and its spooled files. */
  discard: procedure.input(importRef).output(z.void()),
  /** Resumes an upload that stopped because a response was lost (`UPLOAD_UNCLEAR`). */
  decide: procedure.input(importRef.extend({ choice: doubtChoiceSchema })).output(importSchema),
  report: procedure.input(importRef).output(importReportSchema),
  /**
   * The lines with one outcome, by file and line. `file` is the file's number in the import: two
   * files can have the same name.
   */
  outcomes: procedure
    .input(
      importRef.extend({
        fate: keyOutcomeSchema,
        offset: z.number().int().min(0).default(0),
        limit: z.number().int().min(1).max(500).default(100),
      }),
    )
    .output(
      z.array(
        z.object({
          file: z.number().int(),
          fileName: z.string(),
          line: z.number().int(),
          offerName: z.string(),
        }),
      ),
    ),
  /** Rejected and excluded keys, as a file that can be imported again. Requires an open vault. */
  exportUnaccepted: procedure
    .meta({ proof: 'export-keys' })
    .input(confirmedRef)
    .output(z.object({ fileName: z.string(), base64: z.string() })),
  /** Every line with its result as CSV, without keys. Requires an open vault. */
  exportReport: procedure
    .input(importRef)
    .output(z.object({ fileName: z.string(), base64: z.string() })),
  /**
   * Checks the lines that had no offer or were set aside again, as a draft. Returns the same draft
   * when it is called again. Requires an open vault.
   */
  continueImport: procedure.input(importRef).output(importSchema),
  /** These lines byte for byte, one file for each of the import. Requires an open vault. */
  exportRemaining: procedure
    .meta({ proof: 'export-keys' })
    .input(confirmedRef)
    .output(z.array(z.object({ fileName: z.string(), base64: z.string() }))),
  /** Deletes these lines from this computer. */
  discardRemaining: procedure.input(importRef).output(z.void()),
  /** Previews an undo for each offer. */
  undoPlan: procedure.input(importRef).output(z.array(undoPlanSchema)),
  /**
   * Undoes the import on one offer: the offer is paused and withdrawn completely into the vault,
   * and keys of other imports are uploaded again. In LIVE mode `typed` is the offer's name. Also
   * resumes an undo that stopped.
   */
  undo: procedure
    .input(importRef.extend({ offerId: z.string(), typed: z.string().nullable().default(null) }))
    .output(importReportSchema),
  /**
   * Undoes the import on these offers, one after another, or resumes those that stopped. A failure
   * doesn't stop the others. In LIVE mode `typed` is "import" and its number.
   */
  undoImport: procedure
    .input(
      importRef.extend({
        offerIds: z.array(z.string()).min(1).max(5000),
        typed: z.string().nullable().default(null),
      }),
    )
    .output(importReportSchema),
  /** The result of the undo per offer as CSV. */
  exportUndo: procedure
    .input(importRef)
    .output(z.object({ fileName: z.string(), base64: z.string() })),
  /** The rejected lines of all files, byte for byte, as a file to correct and import again. */
  exportRefused: procedure
    .meta({ proof: 'export-keys' })
    .input(confirmedRef)
    .output(z.object({ fileName: z.string(), base64: z.string() })),
}
