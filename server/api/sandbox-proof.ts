/**
 * How a sandbox proves that it is one (Decision 48): it signs a challenge with a key that only this
 * computer's user can have published.
 */
import { z } from 'zod'

/** The route that answers a challenge. */
export const PROOF_PATH = '/sandbox-proof'

/** A challenge: 16 to 128 characters of base64url. */
export const challengeSchema = z.strictObject({
  nonce: z.string().regex(/^[A-Za-z0-9_-]{16,128}$/, 'must be 16 to 128 characters of base64url'),
})

/** The answer to a challenge. */
export const proofSchema = z.object({
  /** HMAC-SHA-256 of the nonce with the bytes of the data folder's key file, in hexadecimal. */
  hmac: z.string(),
  /** The Ed25519 public key that the sandbox has published, as base64url of its 32 bytes. */
  publicKey: z.string(),
  /** Signature of {@link proofMessage}, as base64url. */
  signature: z.string(),
})
export type SandboxProof = z.infer<typeof proofSchema>

/** What a sandbox signs. */
export const proofMessage = (nonce: string): string => `keydesk-sandbox-proof\n${nonce}`
