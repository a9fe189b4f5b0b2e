import { z } from 'zod'
import { accountIdSchema, instantSchema, procedure } from '../base.ts'
import { keychainSchema } from './app.ts'
import { chosenPassphraseSchema } from './passphrases.ts'

/** The text a person must type before keys are exported unencrypted, wherever they are exported. */
export const PLAIN_EXPORT_PHRASE = 'export unencrypted'
/** The typed confirmation. The core rejects any text other than {@link PLAIN_EXPORT_PHRASE}. */
export const plainExportPhraseSchema = z.string().max(100)

/**
 * The vault's lock. `open`: keys can be stored and read. `locked`: it exists and needs its
 * passphrase. `unset`: no keychain holds a data key and no passphrase was chosen, so that import,
 * reveal and download of keys are rejected until one is.
 */
export const vaultSchema = z.object({
  state: z.enum(['open', 'locked', 'unset']),
  /** Where the data key is kept: in the keychain, or wrapped with a passphrase. */
  kept: z.enum(['keychain', 'passphrase', 'none']),
  entries: z.number().int(),
  openedAt: instantSchema.nullable(),
  /**
   * Values are being encrypted with a new data key, or the vault must be unlocked to continue.
   * Until this finishes, keys are neither read nor downloaded.
   */
  rekeying: z.boolean(),
  /** What locked it last; null if nothing has since the start. */
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
 * One file of the data folder. `holds` describes its content; `copy`: an older copy that is no
 * longer needed.
 */
const fileSchema = z.object({
  /** Relative to the data folder. Similar files share one row with their `count`. */
  path: z.string(),
  count: z.number().int(),
  bytes: z.number().int(),
  /**
   * Permissions such as `600`; null where the system has none. `open` is true when others than the
   * owner have access.
   */
  mode: z.string().nullable(),
  open: z.boolean(),
  holds: z.string(),
  secret: z.enum(['none', 'sealed', 'clear', 'unknown']),
  copy: z.boolean(),
})
export type SecretFile = z.infer<typeof fileSchema>

/** Where secrets are on this computer, checked at the time of the call. */
export const secretInventorySchema = z.object({
  keychain: keychainSchema,
  dataFolder: z.string(),
  accounts: z.array(
    z.object({
      accountId: accountIdSchema,
      name: z.string(),
      keyKept: z.enum(['keychain', 'session', 'missing']),
      /** The name of the keychain entry, without its value. */
      entry: z.string().nullable(),
      sealed: z.array(z.object({ kind: sealedKindSchema, count: z.number().int() })),
    }),
  ),
  /** The keychain entry of the vault's key; null when a passphrase wraps it. */
  vaultEntry: z.string().nullable(),
  files: z.array(fileSchema),
  /** Whether the bundled backend's own key is in a file next to its data. */
  sandboxKey: z.boolean(),
})
export type SecretInventory = z.infer<typeof secretInventorySchema>

/** A file for the person to save. The screen saves it; the core never sees a path. */
const downloadSchema = z.object({ fileName: z.string(), base64: z.string() })

/** An export that was opened for reading: the entries without their values. */
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

const passphrase = chosenPassphraseSchema
const typedPassphrase = z.string().min(1).max(1024)
/** Null exports the keys of all accounts. */
const exportedAccount = accountIdSchema.nullable().default(null)
const file = z.object({ base64: z.string().min(1).max(4_000_000) })

/** The encrypted store of delivered keys and of keys that wait for upload. */
export const vaultContract = {
  state: procedure.output(vaultSchema),
  /** Chooses the passphrase that wraps a new data key; only while the state is `unset`. */
  choosePassphrase: procedure.input(z.object({ passphrase })).output(vaultSchema),
  unlock: procedure.input(z.object({ passphrase: typedPassphrase })).output(vaultSchema),
  /**
   * Removes the data key from memory. A vault whose key is in the keychain opens again with
   * `unlockWithKeychain`.
   */
  lock: procedure.output(vaultSchema),
  unlockWithKeychain: procedure.output(vaultSchema),
  /**
   * Reports that a person is using the console, which restarts the time until the vault locks
   * automatically.
   */
  reportUse: procedure.output(z.void()),
  /**
   * Encrypts everything with a new data key. If Keydesk is killed, this resumes the next time the
   * vault opens. Asks for the passphrase if one wraps the key. The vault must be `open`; `CONFLICT`
   * while keys are downloaded or an upload is planned.
   */
  rekey: procedure
    .meta({ proof: 'replace-vault-key' })
    .input(z.object({ passphrase: typedPassphrase.nullable() }))
    .output(vaultSchema),
  /**
   * Changes what protects the data key: another passphrase, the keychain instead of a passphrase,
   * or a passphrase instead of the keychain. `passphrase` is the current one, if there is one.
   */
  changeProtection: procedure
    .meta({ proof: 'protect-vault' })
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
   * The data key as a file, wrapped with its own passphrase. It opens this vault until the vault's
   * key is next changed.
   */
  recoveryCopy: procedure
    .meta({ proof: 'copy-vault-key' })
    .input(z.object({ passphrase: typedPassphrase.nullable(), wrapWith: passphrase }))
    .output(downloadSchema),
  /**
   * Opens the vault with its recovery copy and stores its key again: in the keychain, or under
   * `newPassphrase` if given.
   */
  recover: procedure
    .input(file.extend({ passphrase: typedPassphrase, newPassphrase: passphrase.nullable() }))
    .output(vaultSchema),
  /**
   * All stored keys as a file, or those of one account. `plain` is readable by anyone and requires
   * typing `export unencrypted`. Recorded in the activity.
   */
  export: procedure
    .meta({ proof: 'export-keys' })
    .input(
      z.discriminatedUnion('form', [
        z.object({ form: z.literal('sealed'), passphrase, accountId: exportedAccount }),
        z.object({
          form: z.literal('plain'),
          typed: plainExportPhraseSchema,
          accountId: exportedAccount,
        }),
      ]),
    )
    .output(downloadSchema),
  /**
   * Opens an export from any installation for reading, without storing any of it. It closes when
   * the vault locks or another export is opened.
   */
  openExport: procedure
    .input(file.extend({ passphrase: typedPassphrase }))
    .output(openedExportSchema),
  /** One value of the opened export, decrypted. */
  revealExported: procedure
    .input(z.object({ exportId: z.string(), index: z.number().int().min(0) }))
    .output(z.object({ value: z.string() })),
  closeExport: procedure.output(z.void()),
  secretInventory: procedure.output(secretInventorySchema),
  /** Deletes copies of files that are no longer needed. */
  removeCopies: procedure.output(z.void()),
  /**
   * Copies a secret to the clipboard if the host can, and clears it after this many milliseconds if
   * it is still there. Null when the page must copy it.
   */
  copy: procedure
    .input(z.object({ value: z.string().min(1).max(100_000) }))
    .output(z.object({ clearsAfterMs: z.number().int().nullable() })),
}
