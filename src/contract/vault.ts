import { z } from 'zod'
import { accountIdSchema, instantSchema, procedure } from './base.ts'
import { keychainSchema } from './app.ts'

/**
 * The vault's lock. `open`: keys can be kept and read. `locked`: it exists and wants its
 * passphrase. `unset`: no keychain holds a data key and no passphrase was chosen yet, so import,
 * reveal and download of keys are refused until one is.
 */
export const vaultSchema = z.object({
  state: z.enum(['open', 'locked', 'unset']),
  /** What wraps the data key. */
  kept: z.enum(['keychain', 'passphrase', 'none']),
  entries: z.number().int(),
  openedAt: instantSchema.nullable(),
  /**
   * Values are being sealed under a new data key, or the vault has to be opened for it to go on.
   * Until it ends keys are neither read nor downloaded.
   */
  rekeying: z.boolean(),
  /** What locked it last; null when nothing did since the start. */
  lockedBy: z.enum(['person', 'time', 'sleep', 'screen']).nullable(),
})
export type VaultState = z.infer<typeof vaultSchema>
export type LockReason = NonNullable<VaultState['lockedBy']>

const sealedKindSchema = z.enum([
  'delivered-key',
  'withdrawn-key',
  'import-facts',
  'outbox-text',
  'draft',
  'dispute-text',
  'key-hint',
])

/**
 * One file of the data folder. `holds` says what is in it; `copy`: it is kept from before and
 * nothing needs it.
 */
const fileSchema = z.object({
  /** Inside the data folder. Files alike are one row, `count` of them. */
  path: z.string(),
  count: z.number().int(),
  bytes: z.number().int(),
  /**
   * Permissions such as `600`; null where the system has none. More than the owner's is told by
   * `open`.
   */
  mode: z.string().nullable(),
  open: z.boolean(),
  holds: z.string(),
  secret: z.enum(['none', 'sealed', 'clear', 'unknown']),
  copy: z.boolean(),
})
export type SecretFile = z.infer<typeof fileSchema>

/** Where secrets are on this machine, as found just now. */
export const whereaboutsSchema = z.object({
  keychain: keychainSchema,
  dataFolder: z.string(),
  accounts: z.array(
    z.object({
      accountId: accountIdSchema,
      name: z.string(),
      keyKept: z.enum(['keychain', 'session', 'missing']),
      /** The keychain's entry, without its value. */
      entry: z.string().nullable(),
      sealed: z.array(z.object({ kind: sealedKindSchema, count: z.number().int() })),
    }),
  ),
  /** The keychain entry of the vault's key; null where a passphrase wraps it. */
  vaultEntry: z.string().nullable(),
  files: z.array(fileSchema),
  /** The bundled backend's own key lies in a file beside its data. */
  sandboxKey: z.boolean(),
})
export type Whereabouts = z.infer<typeof whereaboutsSchema>

/** A file for the person to keep: the screen saves it, the core knows no path. */
const downloadSchema = z.object({ fileName: z.string(), base64: z.string() })

/** An export that was opened for reading: what its values belong to, without the values. */
export const openedExportSchema = z.object({
  exportId: z.string(),
  exportedAt: instantSchema,
  entries: z.array(
    z.object({
      index: z.number().int(),
      account: z.string(),
      mode: z.string(),
      kind: z.string(),
      about: z.string(),
      masked: z.string(),
    }),
  ),
})
export type OpenedExport = z.infer<typeof openedExportSchema>

const passphrase = z.string().min(8).max(1024)
const typedPassphrase = z.string().min(1).max(1024)
const file = z.object({ base64: z.string().min(1).max(4_000_000) })

/** The encrypted store of delivered and waiting keys. */
export const vaultContract = {
  state: procedure.output(vaultSchema),
  /** Chooses the passphrase that wraps a new data key; only while `unset`. */
  choosePassphrase: procedure.input(z.object({ passphrase })).output(vaultSchema),
  unlock: procedure.input(z.object({ passphrase: typedPassphrase })).output(vaultSchema),
  /**
   * Forgets the data key in memory. A vault kept by the keychain opens again with
   * `unlockWithKeychain`.
   */
  lock: procedure.output(vaultSchema),
  unlockWithKeychain: procedure.output(vaultSchema),
  /** Somebody works at the console: the time until the vault locks by itself begins anew. */
  inUse: procedure.output(z.void()),
  /**
   * Seals everything under a new data key. Goes on after a kill at the next opening. Where a
   * passphrase wraps the key it is asked for. `open` must be so; CONFLICT while keys are downloaded
   * or an upload is planned.
   */
  rekey: procedure.input(z.object({ passphrase: typedPassphrase.nullable() })).output(vaultSchema),
  /**
   * Wraps the data key otherwise: by another passphrase, or by the keychain instead of a
   * passphrase, or the other way about. `passphrase`: the present one, where there is one.
   */
  keep: procedure
    .input(
      z.object({
        passphrase: typedPassphrase.nullable(),
        as: z.discriminatedUnion('kept', [
          z.object({ kept: z.literal('keychain') }),
          z.object({ kept: z.literal('passphrase'), passphrase }),
        ]),
      }),
    )
    .output(vaultSchema),
  /**
   * The data key, wrapped by a passphrase of its own, as a file. It opens this vault until the next
   * re-keying.
   */
  recoveryCopy: procedure
    .input(z.object({ passphrase: typedPassphrase.nullable(), wrapWith: passphrase }))
    .output(downloadSchema),
  /**
   * Opens the vault by its recovery copy, and keeps its key anew: in the keychain, or under a new
   * passphrase where `newPassphrase` is given.
   */
  recover: procedure
    .input(file.extend({ passphrase: typedPassphrase, newPassphrase: passphrase.nullable() }))
    .output(vaultSchema),
  /**
   * All kept keys as a file. `plain` holds them readable for anyone and wants the words `export in
   * clear` typed. Written to the activity.
   */
  export: procedure
    .input(
      z.discriminatedUnion('form', [
        z.object({ form: z.literal('sealed'), passphrase }),
        z.object({ form: z.literal('plain'), typed: z.string() }),
      ]),
    )
    .output(downloadSchema),
  /**
   * Opens an export of any desk for reading; nothing of it is kept. It closes when the vault locks,
   * or another is opened.
   */
  openExport: procedure
    .input(file.extend({ passphrase: typedPassphrase }))
    .output(openedExportSchema),
  /** One value of the opened export in clear. */
  revealExported: procedure
    .input(z.object({ exportId: z.string(), index: z.number().int().min(0) }))
    .output(z.object({ value: z.string() })),
  closeExport: procedure.output(z.void()),
  whereabouts: procedure.output(whereaboutsSchema),
  /** Deletes copies of files that nothing needs. */
  removeCopies: procedure.output(z.void()),
  /**
   * Puts a secret on the clipboard where the host can, and clears it again after so many
   * milliseconds if it is still there; null: the page must do it.
   */
  copy: procedure
    .input(z.object({ value: z.string().min(1).max(100_000) }))
    .output(z.object({ clearsAfterMs: z.number().int().nullable() })),
}
/** What is typed before keys are exported in clear. */
export const PLAIN_EXPORT_WORDS = 'export in clear'
