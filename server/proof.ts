/** The sandbox's proof that it is one (Decision 48): its key file, its published key, its answers. */
import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  randomBytes,
  sign,
} from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { proofMessage, type SandboxProof } from './api/sandbox-proof.ts'
import { publishedKeyFile } from './api/user-folders.ts'
import { writeFileAtomic } from './store/database/atomic-files.ts'

/** The start of the DER encoding of every Ed25519 private key (RFC 8410). */
const ED25519_PRIVATE = Buffer.from('302e020100300506032b657004220420', 'hex')
const KEY_BYTES = 32

/** The key file of a data folder: 32 random bytes in hexadecimal, readable only by its owner. */
export const proofKeyFile = (dataFolder: string): string => join(dataFolder, 'proof.key')

export type Prover = {
  /** Answers a challenge. */
  prove(nonce: string): SandboxProof
  /** Removes the published key: nothing with this key file runs any more. */
  withdraw(): void
}

function keyOf(dataFolder: string, durable: boolean): Buffer {
  const path = proofKeyFile(dataFolder)
  try {
    const known = Buffer.from(readFileSync(path, 'utf8').trim(), 'hex')
    if (known.length === KEY_BYTES) return known
  } catch {
    // Created below.
  }
  const fresh = randomBytes(KEY_BYTES)
  const text = `${fresh.toString('hex')}\n`
  if (durable) writeFileAtomic(path, Buffer.from(text), () => undefined)
  else writeFileSync(path, text, { mode: 0o600 })
  return fresh
}

/**
 * Reads or creates the key file of a data folder and publishes its public key in `keysFolder`; null
 * publishes nothing. A folder that can't be written only means that no console finds the proof. Only
 * the file of a `durable` folder survives a crash of the computer.
 */
export function createProver(
  dataFolder: string,
  keysFolder: string | null,
  durable = true,
): Prover {
  const secret = keyOf(dataFolder, durable)
  const seed = createHash('sha256').update('keydesk-sandbox-proof\n').update(secret).digest()
  const privateKey = createPrivateKey({
    key: Buffer.concat([ED25519_PRIVATE, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(privateKey)
    .export({ format: 'der', type: 'spki' })
    .subarray(-KEY_BYTES)
    .toString('base64url')
  const file = keysFolder === null ? null : publishedKeyFile(keysFolder, publicKey)
  try {
    if (keysFolder !== null && file !== null) {
      mkdirSync(keysFolder, { recursive: true, mode: 0o700 })
      writeFileSync(file, `${publicKey}\n`, { mode: 0o600 })
    }
  } catch {
    // Without a published key, consoles show its accounts by the mode of their keys.
  }
  return {
    prove: (nonce) => ({
      hmac: createHmac('sha256', secret).update(nonce).digest('hex'),
      publicKey,
      signature: sign(null, Buffer.from(proofMessage(nonce)), privateKey).toString('base64url'),
    }),
    withdraw() {
      if (file !== null) rmSync(file, { force: true })
    },
  }
}
