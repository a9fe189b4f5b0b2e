import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Database } from 'better-sqlite3'
import { createAccountStore } from '../../accounts/accounts.ts'
import type { AccountRecord } from '../../accounts/accounts.ts'
import type { SafetyCopy } from '../../context.ts'
import { createVaultStore } from '../../vault/vault.ts'
import type { StoredKey } from '../../vault/vault.ts'
import { writeAtomically } from '../../durable-files.ts'
import { parseOnce } from '../../parse-once.ts'

/** The safety copy's file in the data folder. */
export const SAFETY_COPY = 'keydesk.keep'

// Not zod's own check: its first call of `atob` loads a module, which would lengthen each start.
const base64 = z.string().regex(/^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/)
const bytes = base64.transform((text) => Buffer.from(text, 'base64'))
const accountSchema = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(['partner', 'seller']),
  mode: z.enum(['live', 'test', 'sandbox']),
  baseUrl: z.string(),
  maskedKey: z.string(),
  kept: z.enum(['keychain', 'session']),
  serviceAccountId: z.string().nullable(),
  idempotency: z.boolean(),
  demo: z.enum(['seller', 'partner']).nullable(),
  createdAt: z.number().int(),
  clockOffsetMs: z.number().int(),
}) satisfies z.ZodType<AccountRecord>
const wrapCostSchema = z.object({ N: z.number().int(), r: z.number().int(), p: z.number().int() })
const vaultKeySchema = z.object({
  kept: z.enum(['keychain', 'passphrase']),
  entry: z.string().nullable(),
  wrapped: z.object({ salt: bytes, wrapped: bytes, cost: wrapCostSchema }).nullable(),
  proof: bytes,
  fingerprint: bytes.nullable(),
  previous: bytes.nullable(),
  retired: z.string().nullable(),
}) satisfies z.ZodType<StoredKey>
const contentSchema = z.object({
  accounts: z.array(accountSchema),
  vaultKey: vaultKeySchema.nullable(),
})
export type SafetyContent = z.output<typeof contentSchema>

const FORMAT = 'keydesk-keep'
const VERSION = 1
/** The file. `sha256` is the one of `content`, which makes it certain that Keydesk wrote it. */
type SafetyFile = { format: string; version: number; sha256: string; content: string }
const digest = (content: string): string => createHash('sha256').update(content).digest('hex')

/** The content of a data folder's safety copy; null if the file is missing or damaged. */
function readContent(dataDir: string): string | null {
  try {
    const file = JSON.parse(readFileSync(join(dataDir, SAFETY_COPY), 'utf8')) as Partial<SafetyFile>
    const { format, version, sha256, content = '' } = file
    return format === FORMAT && version === VERSION && digest(content) === sha256 ? content : null
  } catch {
    return null
  }
}

/** Reads a data folder's safety copy; null if it is missing or damaged. */
export function readSafetyCopy(dataDir: string): SafetyContent | null {
  const content = readContent(dataDir)
  if (content === null) return null
  try {
    return contentSchema.parse(JSON.parse(content), parseOnce)
  } catch {
    return null
  }
}

/** The stores of the data that the safety copy contains. */
const storesOf = (database: Database) => ({
  accounts: createAccountStore(database),
  vault: createVaultStore(database),
})

const inBase64 = (key: StoredKey): z.input<typeof vaultKeySchema> => ({
  ...key,
  wrapped: key.wrapped && {
    ...key.wrapped,
    salt: key.wrapped.salt.toString('base64'),
    wrapped: key.wrapped.wrapped.toString('base64'),
  },
  proof: key.proof.toString('base64'),
  fingerprint: key.fingerprint?.toString('base64') ?? null,
  previous: key.previous?.toString('base64') ?? null,
})
const contentOf = (accounts: readonly AccountRecord[], vaultKey: StoredKey | null): string =>
  JSON.stringify({
    accounts: [...accounts],
    vaultKey: vaultKey && inBase64(vaultKey),
  } satisfies z.input<typeof contentSchema>)

/**
 * Whether the safety copy matches a database, as it usually does at a start. False if the copy is
 * missing or damaged, or an earlier Keydesk wrote the database.
 */
export function isSafetyCopyOf(dataDir: string, database: Database): boolean {
  const content = readContent(dataDir)
  if (content === null) return false
  try {
    const { accounts, vault } = storesOf(database)
    return comparable(content) === comparable(contentOf(accounts.all(), vault.read()))
  } catch {
    return false
  }
}

/**
 * A small file with the data that can't be rebuilt when `keydesk.db` is lost: the accounts, and how
 * the vault's key is stored. It contains no secret that the database doesn't encrypt too: no API
 * key, and the vault's key only wrapped.
 *
 * @param report records an error. A copy that can't be written doesn't make the stored change fail.
 */
export function createSafetyCopy(
  dataDir: string,
  database: Database,
  report: (where: string, error: unknown) => void,
): SafetyCopy {
  const stores = storesOf(database)
  let written = readContent(dataDir) ?? ''
  function write(accounts: readonly AccountRecord[]): void {
    const content = contentOf(accounts, stores.vault.read())
    if (comparable(content) === comparable(written)) return
    try {
      // From now on, losing the write-ahead log doesn't lose an account or the vault's key.
      if (!database.inTransaction) database.pragma('wal_checkpoint(TRUNCATE)')
      writeAtomically(
        join(dataDir, SAFETY_COPY),
        JSON.stringify({
          format: FORMAT,
          version: VERSION,
          sha256: digest(content),
          content,
        } satisfies SafetyFile),
      )
      written = content
    } catch (error) {
      report('safety copy', error)
    }
  }
  return {
    update: () => write(stores.accounts.all()),
    leaveOut: (accountId) => write(stores.accounts.all().filter(({ id }) => id !== accountId)),
  }
}

/** The service's clock is measured again after each start, so its changes need no new copy. */
const comparable = (content: string): string => content.replaceAll(/"clockOffsetMs":-?\d+/g, '')

/**
 * Adds what the database lost from the safety copy: missing accounts, and the vault's key if there
 * is none. Returns the number of accounts it added.
 */
export function restoreFromSafetyCopy(
  database: Database,
  { accounts, vaultKey }: SafetyContent,
  now: number,
): { accounts: number } {
  const stores = storesOf(database)
  const present = new Set(stores.accounts.all().map(({ id }) => id))
  const missing = accounts.filter(({ id }) => !present.has(id))
  for (const account of missing) stores.accounts.put(account)
  if (vaultKey !== null && stores.vault.read() === null) stores.vault.write(vaultKey, now)
  return { accounts: missing.length }
}
