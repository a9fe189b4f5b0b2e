import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { csvText, exact } from '../../../contract/csv.ts'
import { failure } from '../../failure.ts'
import type { Randomness } from '../../randomness.ts'
import { costSchema, deriveFrom } from '../keys/passphrase.ts'
import type { ScryptCost } from '../keys/passphrase.ts'
import { jsonOf } from '../keys/recovery.ts'
import { openValue, sealValue } from '../keys/sealing.ts'

const FORMAT = 'keydesk-keys'
const headSchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(1),
  exportedAt: z.number().int(),
  kdf: costSchema.extend({ salt: z.string() }),
})
const entrySchema = z.object({
  account: z.string(),
  mode: z.string(),
  kind: z.string(),
  value: z.string(),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
})
const bodySchema = z.object({ entries: z.array(entrySchema) })

/** One key in an export, with facts about its origin. */
export type ExportedEntry = z.infer<typeof entrySchema>

/** Larger than any export of keys. A file that claims to be larger is not unpacked. */
const LARGEST = 256 * 1024 * 1024

/**
 * An export encrypted with a passphrase: one line of JSON (format, version, time, and the scrypt
 * salt), followed by the entries as gzipped JSON, encrypted with AES-256-GCM: `version(1) nonce(12)
 * tag(16) ciphertext`, with the line as associated data. docs/security.md describes it.
 */
export async function sealExport(
  entries: readonly ExportedEntry[],
  passphrase: string,
  { random, cost, now }: { random: Randomness; cost: ScryptCost; now: number },
): Promise<Buffer> {
  const salt = random.bytes(16)
  const head = JSON.stringify({
    format: FORMAT,
    version: 1,
    exportedAt: now,
    kdf: { name: 'scrypt', ...cost, salt: salt.toString('base64') },
  })
  const key = await deriveFrom(passphrase, salt, cost)
  try {
    return Buffer.concat([
      Buffer.from(`${head}\n`),
      sealValue(key, random.bytes(12), FORMAT, head, gzipSync(JSON.stringify({ entries }))),
    ])
  } finally {
    key.fill(0)
  }
}

/**
 * The entries of an export. Throws Failure `INVALID_INPUT` for a file of another kind, or
 * `WRONG_PASSPHRASE`.
 */
export async function openExport(
  file: Buffer,
  passphrase: string,
): Promise<{ exportedAt: number; entries: ExportedEntry[] }> {
  const end = file.indexOf('\n')
  const head = file.subarray(0, Math.max(0, end)).toString('utf8')
  const found = headSchema.safeParse(jsonOf(head))
  if (!found.success)
    throw failure(
      'INVALID_INPUT',
      'This file isn’t an encrypted Keydesk export.',
      'Choose a file whose name ends in .keydesk.',
      { effect: 'Nothing was opened.' },
    )
  const key = await deriveFrom(
    passphrase,
    Buffer.from(found.data.kdf.salt, 'base64'),
    found.data.kdf,
  )
  try {
    const packed = openValue(key, FORMAT, head, file.subarray(end + 1))
    const body = gunzipSync(packed, { maxOutputLength: LARGEST })
    const { entries } = bodySchema.parse(jsonOf(body.toString('utf8')))
    for (const bytes of [packed, body]) bytes.fill(0)
    return { exportedAt: found.data.exportedAt, entries }
  } catch {
    throw failure(
      'WRONG_PASSPHRASE',
      'The passphrase is wrong, or the export file was modified.',
      'Enter the passphrase that was chosen for this export.',
      { effect: 'Nothing was opened.' },
    )
  } finally {
    key.fill(0)
  }
}

/**
 * All entries as CSV, readable by anyone. The values are written exactly as they are, never escaped
 * for a spreadsheet; the other columns are escaped.
 */
export function plainExport(entries: readonly ExportedEntry[]): Buffer {
  const names = [...new Set(entries.flatMap(({ facts }) => Object.keys(facts)))]
  return Buffer.from(
    csvText([
      ['account', 'mode', 'kind', ...names, 'value'],
      ...entries.map(({ account, mode, kind, facts, value }) => [
        account,
        mode,
        kind,
        ...names.map((name) => facts[name] ?? null),
        exact(value),
      ]),
    ]),
  )
}
