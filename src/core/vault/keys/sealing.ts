import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'

const version = 1
const nonceLength = 12
const tagLength = 16

/**
 * The keys derived from a data key: one for encryption, one for fingerprints, so that neither use
 * can weaken the other.
 */
export type VaultKeys = { seal: Buffer; fingerprint: Buffer }

/** @param dataKey 32 random bytes */
export function deriveKeys(dataKey: Buffer): VaultKeys {
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', dataKey, Buffer.alloc(0), `keydesk ${purpose} v1`, 32))
  return { seal: derive('seal'), fingerprint: derive('fingerprint') }
}

export function wipeKeys({ seal, fingerprint }: VaultKeys): void {
  seal.fill(0)
  fingerprint.fill(0)
}

/** The IDs are prefixed with their lengths, so that no two pairs of IDs give the same bytes. */
function associatedData(accountId: string, recordId: string): Buffer {
  return Buffer.from(
    `${version}:${accountId.length}:${accountId}:${recordId.length}:${recordId}`,
    'utf8',
  )
}

/**
 * Encrypts with AES-256-GCM and a fresh nonce. The output is `version(1) nonce(12) tag(16)
 * ciphertext`. It opens only for the same account and record.
 *
 * @param nonce 12 random bytes, never used before with this key
 */
export function sealValue(
  key: Buffer,
  nonce: Buffer,
  accountId: string,
  recordId: string,
  value: Uint8Array,
): Buffer {
  return Buffer.concat(sealParts(key, nonce, accountId, recordId, value))
}

/**
 * The same as {@link sealValue}, in two parts that follow each other: a caller that writes them to a
 * file doesn't need a copy of up to a mebibyte.
 *
 * @returns `version(1) nonce(12) tag(16)`, and the ciphertext
 */
export function sealParts(
  key: Buffer,
  nonce: Buffer,
  accountId: string,
  recordId: string,
  value: Uint8Array,
): [head: Buffer, encrypted: Buffer] {
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(associatedData(accountId, recordId))
  const encrypted = cipher.update(value)
  // This mode encrypts byte by byte, so nothing is left for the end.
  cipher.final()
  return [Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag()]), encrypted]
}

/**
 * The value that was encrypted for this account and record. Throws for anything else: modified, of
 * another record, or under another key.
 */
export function openValue(
  key: Buffer,
  accountId: string,
  recordId: string,
  sealed: Uint8Array,
): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  if (bytes.length < 1 + nonceLength + tagLength || bytes[0] !== version)
    throw new Error('not a sealed value')
  const nonce = bytes.subarray(1, 1 + nonceLength)
  const tag = bytes.subarray(1 + nonceLength, 1 + nonceLength + tagLength)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
  decipher.setAAD(associatedData(accountId, recordId))
  decipher.setAuthTag(tag)
  const value = decipher.update(bytes.subarray(1 + nonceLength + tagLength))
  const rest = decipher.final()
  return rest.length === 0 ? value : Buffer.concat([value, rest])
}

/** HMAC-SHA-256 over a game key's SHA-256: identifies equal keys without revealing them. */
export function fingerprintOf(key: Buffer, keySha256: Uint8Array): Buffer {
  return createHmac('sha256', key).update(keySha256).digest()
}

/** The value that was encrypted for this account and record; null for anything else. */
export function opens(
  key: Buffer,
  accountId: string,
  recordId: string,
  sealed: Uint8Array,
): Buffer | null {
  try {
    return openValue(key, accountId, recordId, sealed)
  } catch {
    return null
  }
}
