import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { reachCrashPoint } from '../../domain/crash-points.ts'
import { systemRandom } from '../../domain/environment/system.ts'
import { StoreOpenError } from '../errors.ts'
import { writeFileAtomic } from './atomic-files.ts'

/** The file of the key in a data folder. */
export const sealKeyFile = 'seal.key'
const mark = 's1:'
const nonceBytes = 12
const tagBytes = 16

const KEY_NEEDED =
  "The game keys in this folder can't be read without it. " +
  'Restore it from a backup, or start with an empty folder.'

/**
 * The key that seals stock values: 32 bytes in a separate file beside the database, readable only
 * by its owner. It keeps game keys out of a copied database, a snapshot or a search through files.
 * Anyone who can read the complete folder can read the game keys, as the service must. A database
 * whose key is missing must not continue with a new one: StoreOpenError `unreadable`, and the
 * folder is left unchanged.
 */
export function sealKey(folder: string, database: Database): Buffer {
  const fresh = randomBytes(32)
  if (folder === ':memory:') return fresh
  const path = join(folder, sealKeyFile)
  if (existsSync(path)) {
    const key = readFileSync(path)
    if (key.length !== 32)
      throw new StoreOpenError('unreadable', `${path} is damaged. ${KEY_NEEDED}`)
    return key
  }
  if (holdsSealed(database))
    throw new StoreOpenError('unreadable', `${path} is missing. ${KEY_NEEDED}`)
  writeFileAtomic(path, fresh, () => reachCrashPoint('seal.written'))
  return fresh
}

function holdsSealed(database: Database): boolean {
  const hasUnits =
    database
      .prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'units'`)
      .get() !== undefined
  return (
    hasUnits &&
    database.prepare(`SELECT 1 FROM units WHERE value LIKE '${mark}%' LIMIT 1`).get() !== undefined
  )
}

/**
 * Registers the SQL functions `seal(text)` and `unseal(text)`: AES-256-GCM. Null stays null, and
 * text that was never sealed is returned unchanged.
 */
export function registerSealing(database: Database, bytes: Buffer): void {
  const key = createSecretKey(bytes)
  database.function('seal', { directOnly: true }, (text: unknown) => {
    if (typeof text !== 'string') return null
    const nonce = systemRandom.bytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    const sealed = Buffer.concat([
      nonce,
      cipher.update(text, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ])
    return mark + sealed.toString('base64')
  })
  database.function('unseal', { directOnly: true }, (text: unknown) => {
    if (typeof text !== 'string') return null
    if (!text.startsWith(mark)) return text
    const sealed = Buffer.from(text.slice(mark.length), 'base64')
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes))
    decipher.setAuthTag(sealed.subarray(-tagBytes))
    return Buffer.concat([
      decipher.update(sealed.subarray(nonceBytes, -tagBytes)),
      decipher.final(),
    ]).toString('utf8')
  })
}
