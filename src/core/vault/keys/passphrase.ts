import { scrypt } from 'node:crypto'
import { z } from 'zod'
import { openValue, sealValue } from './sealing.ts'

/** The cost of one derivation: it uses 128 bytes times r times N of memory. */
export type ScryptCost = { N: number; r: number; p: number }

/** 128 MiB and about half a second on a current computer. */
export const scryptCost: ScryptCost = { N: 2 ** 17, r: 8, p: 1 }

/** The cost in a file's header. A cost of more than four times ours is rejected. */
export const costSchema = z.object({
  name: z.literal('scrypt'),
  N: z
    .number()
    .int()
    .min(2)
    .max(2 ** 19),
  r: z.literal(8),
  p: z.literal(1),
})

/** The cost of keys that were wrapped before the cost was stored with them. */
export const unstoredCost: ScryptCost = { N: 2 ** 17, r: 8, p: 1 }

/** A data key wrapped with a passphrase, and the cost at which that was done. */
export type WrappedKey = { salt: Buffer; wrapped: Buffer; cost: ScryptCost }

/** Derives 32 bytes from a passphrase. */
export const deriveFrom = (
  passphrase: string,
  salt: Buffer,
  { N, r, p }: ScryptCost,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // The same passphrase typed on another keyboard can arrive in another Unicode form.
    scrypt(passphrase.normalize('NFKC'), salt, 32, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })

/** Wraps a data key. The work runs outside the core's thread. */
export async function wrapKey(
  passphrase: string,
  dataKey: Buffer,
  salt: Buffer,
  nonce: Buffer,
  cost: ScryptCost,
): Promise<WrappedKey> {
  const key = await deriveFrom(passphrase, salt, cost)
  const wrapped = sealValue(key, nonce, 'vault', 'data-key', dataKey)
  key.fill(0)
  return { salt, wrapped, cost }
}

/** The data key, or null when it was wrapped with a different passphrase. */
export async function unwrapKey(
  passphrase: string,
  { salt, wrapped, cost }: WrappedKey,
): Promise<Buffer | null> {
  const key = await deriveFrom(passphrase, salt, cost)
  try {
    return openValue(key, 'vault', 'data-key', wrapped)
  } catch {
    return null
  } finally {
    key.fill(0)
  }
}
