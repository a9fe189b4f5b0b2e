import { z } from 'zod'
import { accountIdSchema, centsSchema, instantSchema, problemSchema } from '../base.ts'
import { localizedSchema } from '../localization/localized.ts'

/** Why a line is rejected, skipped, cleaned or flagged with a warning. */
const lineReasons = [
  'blank',
  'too-long',
  'control-characters',
  'invalid-encoding',
  'spreadsheet-damage',
  'spreadsheet-error',
  'missing-column',
  'no-picture',
  'picture-too-large',
  // This console already uploaded the key, for the same product or for another one.
  'duplicate-in-file',
  'duplicate-across-files',
  'uploaded-before',
  'on-another-offer',
  'spaces-removed',
  'invisible-removed',
  'quotes-removed',
  'label-removed',
  // Set aside until a person includes them.
  'placeholder',
  'no-key',
  'text-beside-key',
  'code-beside-key',
  'marked-used',
  'unusual-shape',
  'leading-zero-lost',
  'confusable',
  'looks-like-date',
  'no-offer',
  // Only in imports checked before cleaning had separate reasons.
  'cleaned',
] as const
export const lineReasonSchema = z.enum(lineReasons)
export type LineReason = z.infer<typeof lineReasonSchema>

/** Why a line is set aside. */
export const setAsideReasonSchema = lineReasonSchema.extract([
  'placeholder',
  'no-key',
  'text-beside-key',
  'code-beside-key',
  'marked-used',
])
export type SetAsideReason = z.infer<typeof setAsideReasonSchema>

/**
 * `ready` lines are sent; `no-offer` lines need an offer; `duplicate` lines are skipped; `refused`
 * lines are never sent; `set-aside` lines are sent only if a person includes them.
 */
export const lineOutcomeSchema = z.enum(['ready', 'no-offer', 'duplicate', 'refused', 'set-aside'])
export type LineOutcome = z.infer<typeof lineOutcomeSchema>

export const fileSettingsSchema = z.object({
  /** `lines`: one key per line. `table`: delimited columns. */
  form: z.enum(['lines', 'table']),
  delimiter: z.enum([',', ';', '\t', '|']),
  encoding: z.enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']),
  /** Whether the line after `skipLines` names the columns. */
  header: z.boolean(),
  /** Detected lines above the table, such as its title, that contain no keys. */
  skipLines: z.number().int().min(0),
  keyColumn: z.number().int().min(0),
  /** The column that names the offer of a line; null if all lines go to `offerId`. */
  offerColumn: z.number().int().min(0).nullable(),
  /** The offer for all lines if there is no offer column. */
  offerId: z.string().nullable(),
  /** The columns with the purchase price of a key, its currency and its supplier; null for none. */
  costColumn: z.number().int().min(0).nullable(),
  currencyColumn: z.number().int().min(0).nullable(),
  supplierColumn: z.number().int().min(0).nullable(),
  /** Index of the sheet to read, for workbooks. */
  sheet: z.number().int().min(0),
})
export type FileSettings = z.infer<typeof fileSettingsSchema>

/** Lines of one file by outcome. */
export const fileCountsSchema = z.object({
  ready: z.number().int(),
  noOffer: z.number().int(),
  duplicate: z.number().int(),
  refused: z.number().int(),
  setAside: z.number().int(),
  /** Ready lines from which something was removed, and ready lines with an unusual format. */
  cleaned: z.number().int(),
  unusual: z.number().int(),
})
export type FileCounts = z.infer<typeof fileCountsSchema>

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
  /**
   * `pictures`: each picture is one key. `workbook`: a sheet is read as a table, one line per row.
   */
  kind: z.enum(['text', 'workbook', 'pictures']),
  /** A workbook's sheets in workbook order; any of them can be read. */
  sheets: z.array(z.object({ name: z.string(), hidden: z.boolean() })),
  /** The lines have the form `login:password`. */
  logins: z.boolean(),
  /** The profile applied to this file, and the profiles saved from files with the same layout. */
  profile: z.object({ profileId: z.string(), name: z.string() }).nullable(),
  offered: z.array(z.object({ profileId: z.string(), name: z.string() })),
  /** Column names from the header, or "Column 1". */
  columns: z.array(z.string()),
  /**
   * The file's lines by outcome, and how many ready ones have an unusual format. Null until the
   * file is checked.
   */
  counts: fileCountsSchema.nullable(),
  /** Each distinct value of the offer column (or the file itself) and the offer its lines go to. */
  targets: z.array(
    z.object({
      value: z.string().nullable(),
      lines: z.number().int(),
      offerId: z.string().nullable(),
      offerName: z.string().nullable(),
      platform: z.string().nullable(),
      region: z.string().nullable(),
      deliveryType: z.string().nullable(),
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
  setAside: z.number().int(),
  cleaned: z.number().int(),
  warned: z.number().int(),
  /** Requests that the upload of the ready lines needs. */
  requests: z.number().int(),
})

/** The costs of an offer's ready keys, as far as the files contain it. */
export const importPurchaseSchema = z.object({
  offerId: z.string(),
  name: z.string(),
  platform: z.string(),
  region: z.string(),
  deliveryType: z.string(),
  /** Ready keys, those with a cost, and those whose cost can't be read or isn't in EUR. */
  keys: z.number().int(),
  priced: z.number().int(),
  unreadable: z.number().int(),
  /** Per key: the average of the keys with a cost, and the lowest and highest. */
  costCents: centsSchema.nullable(),
  lowestCents: centsSchema.nullable(),
  highestCents: centsSchema.nullable(),
  /** The first suppliers. */
  suppliers: z.array(z.string()),
  /** The offer's cost now. */
  costNowCents: centsSchema.nullable(),
})
export type ImportPurchase = z.infer<typeof importPurchaseSchema>

const importOfferSchema = z.object({
  offerId: z.string(),
  name: z.string(),
  platform: z.string(),
  region: z.string(),
  deliveryType: z.string(),
  /** Keys to send, keys answered so far, and the results the service reported. */
  total: z.number().int(),
  sent: z.number().int(),
  added: z.number().int(),
  duplicates: z.number().int(),
  /** Keys the service rejected, and keys the user excluded after their response was lost. */
  refused: z.number().int(),
  excluded: z.number().int(),
  /** Stock in the latest response; null before the first. */
  stock: z.number().int().nullable(),
  problem: problemSchema.nullable(),
})

export const importSchema = z.object({
  importId: z.string(),
  /** "Import 212": numbered per account. */
  number: z.number().int(),
  accountId: accountIdSchema,
  /**
   * `draft`: files are received and checked. `uploading`, `paused` (by the user), `waiting`
   * (offline or rate limited; resumes automatically), `stopped` (needs the user: see `problem`),
   * `done`, `cancelled`.
   */
  state: z.enum(['draft', 'uploading', 'paused', 'waiting', 'stopped', 'done', 'cancelled']),
  createdAt: instantSchema,
  startedAt: instantSchema.nullable(),
  endedAt: instantSchema.nullable(),
  /**
   * Whether lines are sent even if this console already uploaded their key, for this product or
   * another.
   */
  sendsRepeats: z.boolean(),
  files: z.array(importFileSchema),
  sums: importSumsSchema,
  /**
   * The totals of a draft before Keydesk checked it again, if they changed without the user: other
   * imports uploaded its keys, or offers were deleted.
   */
  sumsBefore: importSumsSchema.nullable(),
  problems: z.array(
    z.object({
      reason: lineReasonSchema,
      /** Whether lines set aside for this reason are sent anyway. */
      isIncluded: z.boolean().default(false),
      count: z.number().int(),
      fate: lineOutcomeSchema,
      /** For unusual shapes: the platform and its usual shapes, as lengths of the key's groups. */
      usual: z
        .object({ platform: z.string(), shapes: z.array(z.string()) })
        .nullable()
        .default(null),
      /**
       * The first affected lines. `shown` is masked, or the damaged text itself if it isn't a key
       * any more.
       */
      examples: z.array(z.object({ file: z.string(), line: z.number().int(), shown: z.string() })),
    }),
  ),
  offers: z.array(importOfferSchema),
  /** Costs and suppliers of the ready keys; empty if no file contains them. */
  purchases: z.array(importPurchaseSchema),
  upload: z.object({
    keys: z.number().int(),
    keysSettled: z.number().int(),
    /**
     * Keys sent without a known result: in flight, or in doubt if the upload is paused, stopped or
     * canceled, or waits to send them again.
     */
    keysInDoubt: z.number().int(),
    requests: z.number().int(),
    requestsSettled: z.number().int(),
    /**
     * One letter per request, in order: `s` settled, `a` settled after being sent again, `f` in
     * flight, `w` waiting, `x` rejected. Above 600 requests one letter represents several.
     */
    squares: z.string(),
    requestsPerSquare: z.number().int(),
    keysPerSecond: z.number(),
    leftMs: z.number().int().nullable(),
    /**
     * Keys settled per second in each completed step since the upload started; null before it
     * started.
     */
    pace: z
      .object({ from: instantSchema, stepMs: z.number().int(), keysPerSecond: z.array(z.number()) })
      .nullable(),
  }),
  journal: z.array(
    z.object({ at: instantSchema, what: localizedSchema, detail: localizedSchema.nullable() }),
  ),
  problem: problemSchema.nullable(),
})
export type Import = z.infer<typeof importSchema>

export const importLineSchema = z.object({
  line: z.number().int(),
  /** Masked unless the caller asked to reveal it. */
  key: z.string(),
  offerName: z.string().nullable(),
  fate: lineOutcomeSchema,
  reasons: z.array(lineReasonSchema),
})

/** The user's choice for a request whose response was lost and that can't be verified. */
export const doubtChoiceSchema = z.enum(['send-again', 'arrived', 'leave-out'])
export type DoubtChoice = z.infer<typeof doubtChoiceSchema>

export const importRef = z.object({ importId: z.string() })
export const fileRef = importRef.extend({ fileId: z.string() })

export const missingOfferSchema = z.object({
  value: z.string().nullable(),
  lines: z.number().int(),
  /** Null if the local catalogue has no matching product, or several. */
  product: z
    .object({
      productId: z.string(),
      name: z.string(),
      platform: z.string(),
      region: z.string(),
      deliveryType: z.string(),
      bestSellerCents: centsSchema.nullable(),
    })
    .nullable(),
})

export const importProfileSchema = z.object({
  profileId: z.string(),
  name: z.string(),
  savedAt: instantSchema,
  /** Number of offer column values with a remembered offer. */ offers: z.number().int(),
})
