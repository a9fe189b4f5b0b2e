import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { StoreOpenError } from './errors.ts'

const keyFile = 'seal.key'
const mark = 's1:'
const nonceBytes = 12
const tagBytes = 16

/**
 * The key that stock values are sealed with: 32 bytes in a file of their own beside the database, readable by its owner alone. It keeps keys
 * out of a copied database, a snapshot or a search through files; who can read the whole folder can read the keys, as the service must.
 */
export function sealKey(folder: string): { key: Buffer; isNew: boolean } {
  const fresh = randomBytes(32)
  if (folder === ':memory:') return { key: fresh, isNew: true }
  const path = join(folder, keyFile)
  try {
    writeFileSync(path, fresh, { flag: 'wx', mode: 0o600 })
    return { key: fresh, isNew: true }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const key = readFileSync(path)
  if (key.length !== 32) throw new StoreOpenError('unreadable', `${path} is damaged: the keys of this folder can't be read without it. Put it back from a backup, or begin with an empty folder.`)
  return { key, isNew: false }
}

/** Gives SQL `seal(text)` and `unseal(text)`: AES-256-GCM, null stays null, and what was never sealed is given back as it is. */
export function registerSealing(database: Database, key: Buffer): void {
  database.function('seal', { directOnly: true }, (text: unknown) => {
    if (typeof text !== 'string') return null
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return mark + sealed.toString('base64')
  })
  database.function('unseal', { directOnly: true }, (text: unknown) => {
    if (typeof text !== 'string') return null
    if (!text.startsWith(mark)) return text
    const sealed = Buffer.from(text.slice(mark.length), 'base64')
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes))
    decipher.setAuthTag(sealed.subarray(-tagBytes))
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString('utf8')
  })
}

/** A database whose key is gone must not go on with the new one, which is taken away again. */
export function mustHaveKey(database: Database, folder: string, isNew: boolean): void {
  if (!isNew || database.prepare(`SELECT 1 FROM units WHERE value LIKE '${mark}%' LIMIT 1`).get() === undefined) return
  rmSync(join(folder, keyFile))
  throw new StoreOpenError('unreadable', `${join(folder, keyFile)} is missing: the keys of this folder can't be read without it. Put it back from a backup, or begin with an empty folder.`)
}
