import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Database } from 'better-sqlite3'
import { Failure } from '../failure.ts'
import { lastFour, maskKey } from '../mask-key.ts'
import type { KeyImportContext } from './context.ts'
import type { KeyRecord } from './key-records.ts'
import { hintsRecord } from './key-schema.ts'
import type { WaitingKey } from './plan/plan-requests.ts'

/** What may be shown of a key that isn't stored. `last4`: null if it would reveal too much. */
export type KeyHint = { masked: string; last4: string | null }
type Line = readonly [file: number, line: number, masked: string, last4: string | null]
type Vault = Pick<KeyImportContext['vault'], 'seal' | 'open'>

/**
 * The hints of one request's keys, sealed together; null while the vault is locked, because nothing
 * depends on them.
 */
export function sealHints(
  vault: Vault,
  accountId: string,
  { import_number: importNumber, position }: { import_number: number; position: number },
  keys: readonly WaitingKey[],
): Buffer | null {
  if (keys.length === 0) return null
  const lines = keys.map(({ file, line, key }): Line => [file, line, maskKey(key), lastFour(key)])
  try {
    return vault.seal(
      accountId,
      hintsRecord(importNumber, position),
      deflateRawSync(JSON.stringify(lines), { level: 1 }),
    )
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

/** Saves the hints of a request and replaces those of an earlier response to it. */
export const saveHints = (
  db: Database,
  importNumber: number,
  request: number,
  sealed: Buffer,
): void =>
  void db
    .prepare(
      `
        INSERT OR REPLACE INTO import_key_hints (import_number, request, sealed)
        VALUES (:importNumber, :request, :sealed)`,
    )
    .run({ importNumber, request, sealed })

/** The hint of an uploaded key; null if none was saved. Throws Failure `VAULT_LOCKED`. */
export function hintOf(
  vault: Vault,
  db: Database,
  accountId: string,
  {
    importNumber,
    request,
    file,
    line,
  }: Pick<KeyRecord, 'importNumber' | 'request' | 'file' | 'line'>,
): KeyHint | null {
  const sealed =
    request === null
      ? undefined
      : db
          .prepare<{ importNumber: number; request: number }, Buffer>(
            'SELECT sealed FROM import_key_hints WHERE import_number = :importNumber AND request = :request',
          )
          .pluck()
          .get({ importNumber, request })
  if (sealed === undefined || request === null) return null
  // Trusts the JSON because this feature sealed it itself.
  const lines = JSON.parse(
    inflateRawSync(vault.open(accountId, hintsRecord(importNumber, request), sealed)).toString(),
  ) as Line[]
  const found = lines.find((each) => each[0] === file && each[1] === line)
  return found === undefined ? null : { masked: found[2], last4: found[3] }
}
