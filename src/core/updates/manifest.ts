import { createHash, createPublicKey, sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import type { UpdateSource } from '../../platform/updates.ts'
import { UpdateRefused } from './refused.ts'
import { versionSchema } from './version.ts'

/** Signed together with the manifest, so that the signature is valid for nothing else. */
const signedFor = 'keydesk-update-manifest-1\n'
/** The largest manifest with its signature, in bytes. */
export const MAX_MANIFEST_BYTES = 256 * 1024
/** The largest file of an update, in bytes. */
const MAX_FILE_BYTES = 500_000_000
/** A manifest is valid for this long at most, in milliseconds. */
const MAX_VALIDITY_MS = 90 * 86_400_000

/** Characters that can hide or reorder text: controls, direction marks, invisible ones. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/u
const text = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((value) => !hidden.test(value))
const fileSchema = z.strictObject({
  platform: z.string().regex(/^[a-z0-9-]{1,40}$/),
  /** A name next to the manifest: no folder, no leading dot. */
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._+~-]{0,120}$/),
  bytes: z.number().int().positive().max(MAX_FILE_BYTES),
  sha512: z.string().regex(/^[0-9a-f]{128}$/),
})
export type UpdateFile = z.output<typeof fileSchema>

const manifestSchema = z
  .strictObject({
    product: z.string(),
    version: versionSchema,
    /** Increases with every manifest, so that an earlier one isn't accepted again. */
    sequence: z.number().int().positive(),
    released: z.number().int().positive(),
    expires: z.number().int().positive(),
    /** The oldest version that may be offered from now on. */
    floor: versionSchema,
    /** The share of installations that are offered this version, in percent. */
    rollout: z.number().int().min(0).max(100),
    changes: z.array(text(500)).max(200),
    files: z.array(fileSchema).max(40),
  })
  .refine(({ released, expires }) => expires > released && expires - released <= MAX_VALIDITY_MS)
  .refine(({ files }) => new Set(files.map(({ platform }) => platform)).size === files.length)
  .refine(({ files }) => new Set(files.map(({ name }) => name.toLowerCase())).size === files.length)
export type UpdateManifest = z.output<typeof manifestSchema>

const envelopeSchema = z.strictObject({
  keyId: z.string().regex(/^[A-Za-z0-9._-]{1,40}$/),
  /** Ed25519, 64 bytes in base64. */
  signature: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
  /** The manifest as the text that was signed. */
  manifest: z.string(),
})

/**
 * Parses JSON in its only accepted form, as `JSON.stringify` writes it: without duplicate keys,
 * other spellings of a value, or anything after it.
 */
function parseExactly<Value>(schema: z.ZodType<Value>, json: string): Value {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new UpdateRefused('not-a-manifest')
  }
  const parsed = schema.safeParse(value)
  if (JSON.stringify(value) !== json || !parsed.success) throw new UpdateRefused('not-a-manifest')
  return parsed.data
}

const keyOf = (publicKey: string): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })

/**
 * Reads a signed manifest of this product. Nothing in it is used before its signature is verified.
 * Throws {@link UpdateRefused}. `digest` distinguishes two manifests with the same sequence number.
 */
export function readManifest(
  signed: string,
  keys: UpdateSource['keys'],
): { manifest: UpdateManifest; digest: string } {
  const { keyId, signature, manifest } = parseExactly(envelopeSchema, signed)
  const key = keys.find(({ id }) => id === keyId)
  if (key === undefined) throw new UpdateRefused('unknown-key')
  const bytes = Buffer.from(signedFor + manifest)
  if (!verify(null, bytes, keyOf(key.publicKey), Buffer.from(signature, 'base64')))
    throw new UpdateRefused('wrong-signature')
  const parsed = parseExactly(manifestSchema, manifest)
  if (parsed.product !== 'keydesk') throw new UpdateRefused('other-product')
  return { manifest: parsed, digest: createHash('sha256').update(manifest).digest('hex') }
}

/** Signs a manifest, for the owner's tool and for tests. Throws if it isn't a valid one. */
export function signManifest(manifest: UpdateManifest, keyId: string, key: KeyObject): string {
  const text = JSON.stringify(manifestSchema.parse(manifest))
  return JSON.stringify({
    keyId,
    signature: sign(null, Buffer.from(signedFor + text), key).toString('base64'),
    manifest: text,
  })
}
