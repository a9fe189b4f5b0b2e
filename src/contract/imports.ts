import { z } from 'zod'
import { accountIdSchema, centsSchema, instantSchema, problemSchema, procedure } from './base.ts'
import { keyFateSchema } from './batches.ts'

/** Why a line is refused, skipped, cleaned or doubted. */
const lineReasons = [
  'blank',
  'too-long',
  'control-characters',
  'invalid-encoding',
  'spreadsheet-damage',
  'missing-column',
  'no-picture',
  'picture-too-large',
  // Uploaded before: for the same product; or for another one, by this console both.
  'duplicate-in-file',
  'duplicate-across-files',
  'uploaded-before',
  'on-another-offer',
  'spaces-removed',
  'invisible-removed',
  'quotes-removed',
  'unusual-shape',
  'leading-zero-lost',
  'confusable',
  'looks-like-date',
  'no-offer',
  // Told of imports checked before what was cleaned had reasons of its own.
  'cleaned',
] as const
export const lineReasonSchema = z.enum(lineReasons)
export type LineReason = z.infer<typeof lineReasonSchema>

/**
 * `ready` is sent; `no-offer` waits for a choice; `duplicate` is skipped; `refused` is never sent.
 */
export const lineFateSchema = z.enum(['ready', 'no-offer', 'duplicate', 'refused'])
export type LineFate = z.infer<typeof lineFateSchema>

export const fileSettingsSchema = z.object({
  /** `lines`: one key per line. `table`: delimited columns. */
  form: z.enum(['lines', 'table']),
  delimiter: z.enum([',', ';', '\t', '|']),
  encoding: z.enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']),
  /** Whether line 1 names the columns. */
  header: z.boolean(),
  keyColumn: z.number().int().min(0),
  /** The column that says which offer a line belongs to; null: the whole file goes to `offerId`. */
  offerColumn: z.number().int().min(0).nullable(),
  /** The offer of the whole file when there is no offer column. */
  offerId: z.string().nullable(),
  /** Of a workbook: which of its sheets is read. */
  sheet: z.number().int().min(0),
})
export type FileSettings = z.infer<typeof fileSettingsSchema>

export const importFileSchema = z.object({
  fileId: z.string(),
  name: z.string(),
  /** Bytes. */
  size: z.number().int(),
  received: z.number().int(),
  state: z.enum(['receiving', 'checking', 'checked', 'failed']),
  problem: problemSchema.nullable(),
  lines: z.number().int(),
  settings: fileSettingsSchema,
  /** `pictures`: each one key. `workbook`: a sheet of it is read as a table, one line a row. */
  kind: z.enum(['text', 'workbook', 'pictures']),
  /** A workbook's sheets, in its order; each may be read. */
  sheets: z.array(z.object({ name: z.string(), hidden: z.boolean() })),
  /** Its lines are `login:password`. */
  logins: z.boolean(),
  /** The saved profile that was applied to it, and those saved of a file of the same shape. */
  profile: z.object({ profileId: z.string(), name: z.string() }).nullable(),
  offered: z.array(z.object({ profileId: z.string(), name: z.string() })),
  /** Names of the columns: of the header, or "Column 1". */
  columns: z.array(z.string()),
  /** Each distinct value of the offer column (or the file itself) and where its lines go. */
  targets: z.array(
    z.object({
      value: z.string().nullable(),
      lines: z.number().int(),
      offerId: z.string().nullable(),
      offerName: z.string().nullable(),
      platform: z.string().nullable(),
      region: z.string().nullable(),
      matchedBy: z.enum(['offer-id', 'product-id', 'name', 'chosen', 'none']),
    }),
  ),
})
export type ImportFile = z.infer<typeof importFileSchema>

const importSumsSchema = z.object({
  read: z.number().int(),
  ready: z.number().int(),
  noOffer: z.number().int(),
  duplicate: z.number().int(),
  refused: z.number().int(),
  cleaned: z.number().int(),
  warned: z.number().int(),
})

const importOfferSchema = z.object({
  offerId: z.string(),
  name: z.string(),
  platform: z.string(),
  region: z.string(),
  /** Keys to send, answered so far, and what the answers said. */
  total: z.number().int(),
  sent: z.number().int(),
  added: z.number().int(),
  duplicates: z.number().int(),
  /** Keys that the service took not. */
  refused: z.number().int(),
  /** Stock by the latest answer; null before the first. */
  stock: z.number().int().nullable(),
  problem: problemSchema.nullable(),
})

export const importSchema = z.object({
  importId: z.string(),
  /** "Import 212": counted by account. */
  number: z.number().int(),
  accountId: accountIdSchema,
  /**
   * `draft`: files come in and are checked. `uploading`, `paused` (by a person), `waiting` (offline
   * or told to wait; goes on by itself), `stopped` (needs a person: see `problem`), `done`,
   * `cancelled`.
   */
  state: z.enum(['draft', 'uploading', 'paused', 'waiting', 'stopped', 'done', 'cancelled']),
  createdAt: instantSchema,
  startedAt: instantSchema.nullable(),
  endedAt: instantSchema.nullable(),
  /**
   * Whether lines whose key was uploaded before (by this console, for this product or another) are
   * sent all the same.
   */
  sendsRepeats: z.boolean(),
  files: z.array(importFileSchema),
  sums: importSumsSchema,
  problems: z.array(
    z.object({
      reason: lineReasonSchema,
      count: z.number().int(),
      fate: lineFateSchema,
      /**
       * Of unusual shapes: the platform, and how its keys usually look, as lengths of their groups.
       */
      usual: z
        .object({ platform: z.string(), shapes: z.array(z.string()) })
        .nullable()
        .default(null),
      /**
       * The first lines concerned; `shown` is masked, or the damaged text itself where it is no key
       * any more.
       */
      examples: z.array(z.object({ file: z.string(), line: z.number().int(), shown: z.string() })),
    }),
  ),
  offers: z.array(importOfferSchema),
  upload: z.object({
    keys: z.number().int(),
    keysSettled: z.number().int(),
    requests: z.number().int(),
    requestsSettled: z.number().int(),
    /**
     * One letter a request, in order: `s` settled, `a` settled after being sent again, `f` in
     * flight, `w` waiting, `x` refused. Above 600 requests a letter stands for several.
     */
    squares: z.string(),
    requestsPerSquare: z.number().int(),
    keysPerSecond: z.number(),
    leftMs: z.number().int().nullable(),
    /**
     * How fast keys were settled in each step of time since the upload began; the step that goes on
     * is left out. Null before it began.
     */
    pace: z
      .object({ from: instantSchema, stepMs: z.number().int(), keysPerSecond: z.array(z.number()) })
      .nullable(),
  }),
  journal: z.array(z.object({ at: instantSchema, what: z.string(), detail: z.string() })),
  problem: problemSchema.nullable(),
})
export type Import = z.infer<typeof importSchema>

export const importLineSchema = z.object({
  line: z.number().int(),
  /** Masked unless revealing was asked for. */
  key: z.string(),
  offerName: z.string().nullable(),
  fate: lineFateSchema,
  reasons: z.array(lineReasonSchema),
})

/**
 * What a person says of a request whose answer got lost, where nothing tells whether it arrived.
 */
export const doubtChoiceSchema = z.enum(['send-again', 'arrived', 'leave-out'])
export type DoubtChoice = z.infer<typeof doubtChoiceSchema>

/** An import's keys taken back from one offer. */
export const importUndoSchema = z.object({
  offerId: z.string(),
  offerName: z.string(),
  /** One step after the other; `stopped` needs a person (see `problem`). */
  state: z.enum([
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
   * Keys of the import that are in the vault now; other keys of the offer, and how many of those
   * were put back.
   */
  takenBack: z.number().int(),
  toReturn: z.number().int(),
  returned: z.number().int(),
  withdrawalId: z.string(),
  problem: problemSchema.nullable(),
})
export type ImportUndo = z.infer<typeof importUndoSchema>

/** What undoing would do, before it begins. Counts are those of the last look at the service. */
const undoPlanSchema = z.object({
  offerId: z.string(),
  offerName: z.string(),
  /** Keys that the service added from this import, and of these: taken back before. */
  added: z.number().int(),
  gone: z.number().int(),
  /**
   * Keys on the offer: all of them are withdrawn; those of other imports and consoles are uploaded
   * again.
   */
  stock: z.number().int(),
  requests: z.number().int(),
  /** The service repeats lost answers: no key can be lost on the way. */
  safe: z.boolean(),
  /** Why it can't be done now; null when it can. */
  problem: problemSchema.nullable(),
})
export type UndoPlan = z.infer<typeof undoPlanSchema>

/** What became of every line of an import, file by file. */
const importReportSchema = z.object({
  files: z.array(
    z.object({
      name: z.string(),
      read: z.number().int(),
      cleaned: z.number().int(),
      refused: z.number().int(),
      /** "3, 7–9, 20": the refused lines, the first 500 of them. */
      refusedLines: z.string(),
      added: z.number().int(),
      duplicates: z.number().int(),
      unsure: z.number().int(),
      notTaken: z.number().int(),
    }),
  ),
  /** Keys that the service took not, kept here for an export. */
  unaccepted: z.number().int(),
  undos: z.array(importUndoSchema),
})
export type ImportReport = z.infer<typeof importReportSchema>

const importRef = z.object({ importId: z.string() })
const fileRef = importRef.extend({ fileId: z.string() })

const missingOfferSchema = z.object({
  value: z.string().nullable(),
  lines: z.number().int(),
  /** Null: the catalogue on this machine has no such product, or several. */
  product: z
    .object({
      productId: z.string(),
      name: z.string(),
      platform: z.string(),
      region: z.string(),
      bestSellerCents: centsSchema.nullable(),
    })
    .nullable(),
})

const importProfileSchema = z.object({
  profileId: z.string(),
  name: z.string(),
  savedAt: instantSchema,
  /** Values of the offer column with a remembered offer. */ offers: z.number().int(),
})

/** Bulk key import: files in, every line judged, uploaded once, accounted for. */
export const importsContract = {
  list: procedure
    .input(z.object({ accountId: accountIdSchema }))
    .output(
      z.array(
        importSchema
          .omit({ sendsRepeats: true, files: true, problems: true, offers: true, journal: true })
          .extend({ title: z.string() }),
      ),
    ),
  /** A new draft. */
  create: procedure.input(z.object({ accountId: accountIdSchema })).output(importSchema),
  get: procedure.input(importRef).output(importSchema),
  /**
   * Announces a file; its bytes follow by `writeFile` in order. `offerId` puts the whole file on
   * one offer from the start.
   */
  addFile: procedure
    .input(
      importRef.extend({
        name: z.string().min(1).max(1024),
        size: z.number().int().min(0),
        offerId: z.string().nullable().default(null),
        /**
         * For pictures that come as one file, one after another: the name and the bytes of each.
         */
        pictures: z
          .array(z.object({ name: z.string().max(1024), size: z.number().int().min(0) }))
          .max(10_000)
          .nullable()
          .default(null),
      }),
    )
    .output(z.object({ fileId: z.string() })),
  /**
   * Notes that a file can't be handed over to its end: it changed, vanished or can't be read. It
   * stays, with the reason.
   */
  failFile: procedure
    .input(fileRef.extend({ reason: z.enum(['changed', 'unreadable']) }))
    .output(importSchema),
  /**
   * The next bytes of a file (at most 1 MiB, base64). The answer is the back pressure: send the
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
  /** Corrects what was detected; the file is judged again. */
  configureFile: procedure
    .input(fileRef.extend({ settings: fileSettingsSchema.partial() }))
    .output(importSchema),
  /** Sends the lines of one value of the offer column to an offer; null leaves them out. */
  chooseOffer: procedure
    .input(fileRef.extend({ value: z.string().nullable(), offerId: z.string().nullable() }))
    .output(importSchema),
  /** Reads a file again as it was configured: after a full disk, for example. */
  readAgain: procedure.input(fileRef).output(importSchema),
  /** Reads one more sheet of a workbook, as a file of its own. */
  addSheet: procedure
    .input(fileRef.extend({ sheet: z.number().int().min(0) }))
    .output(importSchema),
  /** Whether keys that were uploaded before are sent all the same. */
  setRepeats: procedure.input(importRef.extend({ send: z.boolean() })).output(importSchema),
  /**
   * The values of a file's offer column that no own offer fits, each with the product of the
   * catalogue that it names.
   */
  missingOffers: procedure.input(fileRef).output(z.array(missingOfferSchema)),
  /**
   * Creates offers for values without one and sends their lines there. One result a value, in
   * order; what fails doesn't stop the others.
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
   * Remembers how a checked file is read and where its lines go. A profile of the same name is
   * replaced.
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
        only: lineFateSchema.nullable().default(null),
      }),
    )
    .output(z.object({ total: z.number().int(), rows: z.array(importLineSchema) })),
  upload: procedure.input(importRef).output(importSchema),
  pause: procedure.input(importRef).output(importSchema),
  resume: procedure.input(importRef).output(importSchema),
  /** Stops for good; what was answered stays uploaded, what waits is erased here. */
  cancel: procedure.input(importRef).output(importSchema),
  /** Erases a draft and its spooled files. */
  discard: procedure.input(importRef).output(z.void()),
  /** Goes on with an upload that stopped in doubt (`UPLOAD_UNCLEAR`). */
  decide: procedure.input(importRef.extend({ choice: doubtChoiceSchema })).output(importSchema),
  report: procedure.input(importRef).output(importReportSchema),
  /** The lines of one fate, by file and line. */
  outcomes: procedure
    .input(
      importRef.extend({
        fate: keyFateSchema,
        offset: z.number().int().min(0).default(0),
        limit: z.number().int().min(1).max(500).default(100),
      }),
    )
    .output(
      z.array(z.object({ fileName: z.string(), line: z.number().int(), offerName: z.string() })),
    ),
  /** Keys that the service took not, as a file to drop again; needs the vault open. */
  exportUnaccepted: procedure
    .input(importRef)
    .output(z.object({ fileName: z.string(), base64: z.string() })),
  /** What undoing would do, offer by offer. */
  undoPlan: procedure.input(importRef).output(z.array(undoPlanSchema)),
  /**
   * Takes the import's keys back from an offer into the vault: the offer is paused, withdrawn
   * whole, and what belongs to others is uploaded again. In LIVE `typed` is the offer's name. Also
   * goes on with one that stopped.
   */
  undo: procedure
    .input(importRef.extend({ offerId: z.string(), typed: z.string().nullable().default(null) }))
    .output(importReportSchema),
  /** The refused lines of all files, byte-exact, as a text to fix and drop again. */
  exportRefused: procedure
    .input(importRef)
    .output(z.object({ fileName: z.string(), base64: z.string() })),
}
