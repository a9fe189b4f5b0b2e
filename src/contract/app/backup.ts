import { z } from 'zod'
import { chosenPassphraseSchema } from './passphrases.ts'
import { instantSchema, procedure } from '../base.ts'
import { restoredNetworkSchema } from './network.ts'

/** Bytes of a backup per call, in both directions. */
export const BACKUP_CHUNK = 768 * 1024

const restoreRef = z.object({ restoreId: z.string().max(64) })
export const backupSummarySchema = z.object({
  madeAt: instantSchema,
  /** The version of Keydesk that made it. */
  version: z.string(),
  accounts: z.array(
    z.object({
      name: z.string(),
      role: z.string(),
      mode: z.string(),
      baseUrl: z.string().default(''),
      /**
       * The account's address in the present data, when the backup has another one. The account
       * then sends no key until a person confirms its address.
       */
      addressBefore: z.string().nullable().default(null),
    }),
  ),
  /** Network settings in the backup. They aren't used until a person adopts them. */
  network: restoredNetworkSchema.nullable().default(null),
  files: z.number().int(),
  bytes: z.number().int(),
})
/** A copy of the data from before an update, kept in the data folder. */
export const updateBackupSchema = z.object({
  name: z.string(),
  /** The Keydesk that the data was updated to. */
  version: z.string(),
  at: instantSchema,
  bytes: z.number().int(),
  /** Whether this Keydesk can read it. */
  readable: z.boolean(),
})
export type UpdateBackup = z.output<typeof updateBackupSchema>
export type BackupSummary = z.output<typeof backupSummarySchema>

/**
 * Saves the complete data folder as one file encrypted with a passphrase, and restores it. Secrets
 * in the keychain (API keys, and the vault's key if the keychain stores it) are not included.
 */
export const backupContract = {
  /**
   * Writes a backup. `CONFLICT` while the vault gets a new key or another backup is written. The
   * backup can be read until it is dropped or Keydesk quits.
   */
  create: procedure
    .meta({ proof: 'back-up' })
    .input(z.object({ passphrase: chosenPassphraseSchema }))
    .output(
      z.object({
        backupId: z.string(),
        fileName: z.string(),
        bytes: z.number().int(),
        files: z.number().int(),
      }),
    ),
  /** At most {@link BACKUP_CHUNK} bytes, starting at an offset. */
  read: procedure
    .input(z.object({ backupId: z.string().max(64), offset: z.number().int().min(0) }))
    .output(z.object({ base64: z.string() })),
  discard: procedure.input(z.object({ backupId: z.string().max(64) })).output(z.void()),
  /**
   * The next bytes of an uploaded backup; the first call starts the upload. Waiting for each
   * response provides the back pressure.
   */
  upload: procedure
    .input(
      z.object({
        restoreId: z.string().max(64).nullable(),
        offset: z.number().int().min(0),
        base64: z.string().max(1_500_000),
      }),
    )
    .output(restoreRef),
  /**
   * Unpacks the backup next to the current data and verifies it completely. `INVALID_INPUT` for a
   * file of another kind, `WRONG_PASSPHRASE`, `BACKUP_CUT_OFF`, `BACKUP_DAMAGED`, `NEWER_DATA`. Replaces nothing.
   */
  check: procedure
    .input(restoreRef.extend({ passphrase: z.string().min(1).max(1024) }))
    .output(backupSummarySchema),
  /**
   * Copies the data from before an update next to the current data and verifies it. `NOT_FOUND` if
   * there is no such copy, `NEWER_DATA`, `BACKUP_DAMAGED`. Replaces nothing.
   */
  checkBeforeUpdate: procedure
    .input(z.object({ name: z.string().max(100) }))
    .output(restoreRef.extend({ summary: backupSummarySchema })),
  /**
   * Replaces the current data with the checked backup at the next start of Keydesk. The previous
   * data is kept next to it.
   */
  restore: procedure.meta({ proof: 'restore' }).input(restoreRef).output(z.void()),
  /** Discards an uploaded backup, including one that is scheduled for the next start. */
  cancel: procedure.output(z.void()),
  state: procedure.output(
    z.object({
      /** The backup that replaces the current data at the next start. */
      waiting: backupSummarySchema.nullable(),
      /** Data that a restore replaced, kept in the data folder, newest first. */
      replaced: z.array(z.object({ name: z.string(), at: instantSchema, bytes: z.number().int() })),
      /** Copies of the data from before updates, newest first. */
      beforeUpdates: z.array(updateBackupSchema),
    }),
  ),
  /** Deletes replaced data, or a copy from before an update, permanently. */
  deleteReplaced: procedure.input(z.object({ name: z.string().max(100) })).output(z.void()),
}
