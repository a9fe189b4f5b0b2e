import { z } from 'zod'
import { instantSchema, procedure } from '../base.ts'
import { updateBackupSchema } from './backup.ts'

/** The most bytes of an export of readable data in one response. */
export const EXPORT_CHUNK = 768 * 1024

/**
 * Why Keydesk doesn't open a data folder.
 *
 * - `missing`, `wiped`, `incomplete`: the database is gone, empty, or lacks accounts, although the
 *   folder has files of them
 * - `damaged`, `unreadable`, `newer`: the database itself
 * - `read-only`, `disk-full`: nothing can be written
 * - `update-disk-full`: there is too little space for the copy that is made before an update
 * - `migration-failed`: the tables of an earlier Keydesk can't be changed to those of this one
 */
export const recoveryProblemSchema = z.enum([
  'missing',
  'wiped',
  'incomplete',
  'damaged',
  'unreadable',
  'newer',
  'read-only',
  'disk-full',
  'update-disk-full',
  'migration-failed',
])
export type RecoveryProblem = z.infer<typeof recoveryProblemSchema>

/** One file of the data folder, checked completely. */
const checkedFileSchema = z.object({
  /** Relative to the data folder, with `/` separators. */
  path: z.string(),
  holds: z.enum(['main', 'safety-copy', 'journal', 'mirror', 'catalogue']),
  /** The account's name, if the safety copy or the database knows it. */
  account: z.string().nullable(),
  bytes: z.number().int(),
  state: z.enum([
    'checking',
    'ok',
    'absent',
    'empty',
    'truncated',
    'foreign',
    'damaged',
    'newer',
    'unreadable',
  ]),
  /** The code or words of SQLite or the system, for support. */
  detail: z.string().nullable(),
})
export type CheckedFile = z.infer<typeof checkedFileSchema>

const recoverySchema = z.object({
  mode: z.literal('recovery'),
  problem: recoveryProblemSchema,
  /** The code or words of SQLite or the system, for support. */
  detail: z.string().nullable(),
  dataFolder: z.string(),
  checkedAt: instantSchema,
  /** The worst file last. */
  files: z.array(checkedFileSchema),
  /** The accounts that the safety copy lists. */
  accounts: z.array(z.string()),
  /** The newest copy from before an update that this Keydesk can read. */
  beforeUpdate: updateBackupSchema.nullable(),
  can: z.object({
    repair: z.boolean(),
    restore: z.boolean(),
    openReadOnly: z.boolean(),
    quit: z.boolean(),
  }),
})
export type RecoveryState = z.infer<typeof recoverySchema>

const stateSchema = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('normal') }),
  /** A copy of the data is open. Nothing is saved or sent. */
  z.object({ mode: z.literal('read-only'), problem: recoveryProblemSchema }),
  recoverySchema,
])

/**
 * How Keydesk continues when it can't open its data folder. A core in recovery serves only these
 * procedures and those of a restore. Nothing in the folder changes until a person chooses, and a
 * damaged file is always kept.
 */
export const recoveryContract = {
  state: procedure.output(stateSchema),
  /** Tries to open the data folder again. Rejects with the reason when that fails. */
  open: procedure.output(z.void()),
  /**
   * Rebuilds the database from its readable records and the safety copy, and opens it. The damaged
   * file is kept under a name with its time.
   */
  repair: procedure.output(z.void()),
  /** Opens a copy of the data. Every change and everything that is sent is refused. */
  openReadOnly: procedure.output(z.void()),
  /** Writes every readable record as CSV files in one zip file. Encrypted values are left out. */
  exportReadable: procedure.output(
    z.object({ fileName: z.string(), bytes: z.number().int(), unreadable: z.array(z.string()) }),
  ),
  /** At most {@link EXPORT_CHUNK} bytes of the export, starting at an offset. */
  readExport: procedure
    .input(z.object({ offset: z.number().int().min(0) }))
    .output(z.object({ base64: z.string() })),
  quit: procedure.output(z.void()),
}
