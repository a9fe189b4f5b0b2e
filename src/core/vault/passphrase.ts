import { scrypt } from 'node:crypto'
import { openValue, sealValue } from './sealing.ts'

/** scrypt's cost: 128 MiB and about half a second on a desk of today. */
export const scryptCost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 } as const

/** A data key wrapped by a passphrase. */
export type WrappedKey = { salt: Buffer; wrapped: Buffer }

/** 32 bytes of a passphrase. */
export const deriveFrom = (passphrase: string, salt: Buffer): Promise<Buffer> => new Promise((resolve, reject) => {
  // The same passphrase typed on another keyboard may arrive in another Unicode form.
  scrypt(passphrase.normalize('NFKC'), salt, 32, scryptCost, (error, key) => (error === null ? resolve(key) : reject(error)))
})

/** Wraps a data key. The work happens off the core's thread. */
export async function wrapKey(passphrase: string, dataKey: Buffer, salt: Buffer, nonce: Buffer): Promise<WrappedKey> {
  const key = await deriveFrom(passphrase, salt)
  const wrapped = sealValue(key, nonce, 'vault', 'data-key', dataKey)
  key.fill(0)
  return { salt, wrapped }
}

/** The data key, or null when the passphrase is not the one it was wrapped by. */
export async function unwrapKey(passphrase: string, { salt, wrapped }: WrappedKey): Promise<Buffer | null> {
  const key = await deriveFrom(passphrase, salt)
  try {
    return openValue(key, 'vault', 'data-key', wrapped)
  } catch {
    return null
  } finally {
    key.fill(0)
  }
}
