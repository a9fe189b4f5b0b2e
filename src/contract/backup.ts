import { z } from 'zod'
import { instantSchema, procedure } from './base.ts'

/** Bytes of a backup that travel at once, in both directions. */
export const BACKUP_CHUNK = 768 * 1024

const passphrase = z.string().min(8).max(1000)
const restoreRef = z.object({ restoreId: z.string().max(64) })
const summarySchema = z.object({
  madeAt: instantSchema,
  /** The Keydesk that made it. */
  version: z.string(),
  accounts: z.array(z.object({ name: z.string(), role: z.string(), mode: z.string() })),
  files: z.number().int(),
  bytes: z.number().int(),
})
export type BackupSummary = z.infer<typeof summarySchema>

/**
 * The whole data folder as one file under a passphrase, and back. What the keychain holds (API
 * keys, and the vault's key where the keychain keeps it) is not in it.
 */
export const backupContract = {
  /**
   * Writes one. `CONFLICT` while the vault gets a new key or another backup is written. It waits to
   * be read until it is dropped or Keydesk ends.
   */
  make: procedure.input(z.object({ passphrase })).output(
    z.object({
      backupId: z.string(),
      fileName: z.string(),
      bytes: z.number().int(),
      files: z.number().int(),
    }),
  ),
  /** At most {@link BACKUP_CHUNK} bytes from an offset on. */
  read: procedure
    .input(z.object({ backupId: z.string().max(64), offset: z.number().int().min(0) }))
    .output(z.object({ base64: z.string() })),
  drop: procedure.input(z.object({ backupId: z.string().max(64) })).output(z.void()),
  /**
   * The next bytes of a backup that is brought in; the first call begins. The answer is the back
   * pressure.
   */
  receive: procedure
    .input(
      z.object({
        restoreId: z.string().max(64).nullable(),
        offset: z.number().int().min(0),
        base64: z.string().max(1_500_000),
      }),
    )
    .output(restoreRef),
  /**
   * Unpacks it beside the present data and checks it whole. `INVALID_INPUT` for another file,
   * `WRONG_PASSPHRASE` for that or a changed one, `NEWER_DATA`, `BACKUP_DAMAGED`. Nothing is
   * replaced.
   */
  check: procedure
    .input(restoreRef.extend({ passphrase: z.string().min(1).max(1000) }))
    .output(summarySchema),
  /**
   * Takes the checked backup's data in place of the present at the next start of Keydesk; what was
   * there is kept beside it.
   */
  restore: procedure.input(restoreRef).output(z.void()),
  /** Forgets a backup that was brought in, also one that waits for the next start. */
  cancel: procedure.output(z.void()),
  state: procedure.output(
    z.object({
      /** What takes the place of the present data at the next start. */
      waiting: summarySchema.nullable(),
      /** Data that a restore replaced, kept in the data folder; newest first. */
      replaced: z.array(z.object({ name: z.string(), at: instantSchema, bytes: z.number().int() })),
    }),
  ),
  /** Deletes replaced data for good. */
  dropReplaced: procedure.input(z.object({ name: z.string().max(100) })).output(z.void()),
}
