import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { z } from 'zod'
import { failure } from '../failure.ts'
import type { Failure } from '../failure.ts'
import { costSchema } from '../vault/vault.ts'
import type { ScryptCost } from '../vault/vault.ts'

const FORMAT = 'keydesk-backup'
const BEGINNING = `{"format":"${FORMAT}"`
const MAX_HEADER_BYTES = 4096
const shared = {
  format: z.literal(FORMAT),
  madeAt: z.number().int(),
  keydesk: z.string(),
  kdf: costSchema.extend({ salt: z.string() }),
}
const headerSchema = z.discriminatedUnion('version', [
  z.object({ ...shared, version: z.literal(1) }),
  z.object({
    ...shared,
    version: z.literal(2),
    /** Recognizes the key without opening the data, so that a wrong passphrase isn't damage. */
    check: z.string(),
    /** SHA-256 of the header without this field, so that a damaged salt isn't a wrong passphrase. */
    sum: z.string(),
  }),
])
export type ArchiveHeader = z.infer<typeof headerSchema>

const checkOf = (key: Buffer): Buffer =>
  createHmac('sha256', key).update('keydesk-backup key check').digest()
const sumOf = (header: object): string =>
  createHash('sha256').update(JSON.stringify(header)).digest('hex')

/** The first line of a new backup. */
export function writeHeader(
  { madeAt, version }: { madeAt: number; version: string },
  { key, salt, cost }: { key: Buffer; salt: Buffer; cost: ScryptCost },
): string {
  const header = {
    format: FORMAT,
    version: 2,
    madeAt,
    keydesk: version,
    kdf: { name: 'scrypt', ...cost, salt: salt.toString('base64') },
    check: checkOf(key).toString('base64'),
  }
  return JSON.stringify({ ...header, sum: sumOf(header) })
}

/**
 * Reads the first line of a backup. Throws Failure `INVALID_INPUT` for a file of another kind,
 * `BACKUP_CUT_OFF` or `BACKUP_DAMAGED` for a damaged header.
 */
export function readHeader(source: string): { line: string; head: ArchiveHeader } {
  const bytes = Buffer.alloc(MAX_HEADER_BYTES)
  const file = openSync(source, 'r')
  const read = bytes.subarray(0, readSync(file, bytes))
  closeSync(file)
  const end = read.indexOf('\n')
  const line = read.subarray(0, Math.max(0, end)).toString('utf8')
  const isBackup = read.toString('utf8', 0, BEGINNING.length) === BEGINNING
  if (isBackup && end === -1 && read.length < MAX_HEADER_BYTES) throw cutOff()
  try {
    const written = z.looseObject({}).parse(JSON.parse(line))
    const head = headerSchema.parse(written)
    const { sum, ...rest } = written
    if (head.version === 2 && sum !== sumOf(rest)) throw modified()
    return { line, head }
  } catch {
    throw isBackup ? modified() : notABackup()
  }
}

/** Whether the key belongs to the backup; null for version 1, which doesn't say. */
export function isKeyOf(head: ArchiveHeader, key: Buffer): boolean | null {
  if (head.version === 1) return null
  const expected = Buffer.from(head.check, 'base64')
  const actual = checkOf(key)
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

const unchanged = { effect: 'Nothing was replaced.' }
export const cutOff = (): Failure =>
  failure(
    'BACKUP_CUT_OFF',
    'The end of this backup is missing: the file is incomplete.',
    'Copy or download the file again, or use another backup.',
    unchanged,
  )
export const modified = (): Failure =>
  failure(
    'BACKUP_DAMAGED',
    'This backup was modified or damaged after it was created.',
    'Use another copy of the file, or another backup.',
    unchanged,
  )
export const wrongPassphrase = (): Failure =>
  failure(
    'WRONG_PASSPHRASE',
    'The passphrase is wrong. The backup file is intact so far.',
    'Enter the passphrase that was chosen for this backup.',
    unchanged,
  )
/** A backup of version 1 doesn't say whether its key or its first frame is wrong. */
export const wrongOrModified = (): Failure =>
  failure(
    'WRONG_PASSPHRASE',
    'The passphrase is wrong, or the backup file was modified.',
    'Enter the passphrase that was chosen for this backup, or use another copy of the file.',
    unchanged,
  )
const notABackup = (): Failure =>
  failure(
    'INVALID_INPUT',
    'This file isn’t a Keydesk backup.',
    'Choose a file whose name ends in .keydesk-backup.',
    unchanged,
  )
