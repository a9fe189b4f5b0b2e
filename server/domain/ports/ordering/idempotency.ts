/**
 * The first response to a call with an Idempotency-Key. Without `status` the call was accepted but
 * has no response yet.
 */
export interface StoredCall {
  scope: string
  key: string
  /** SHA-256 of the body's canonical JSON. */
  digest: Uint8Array
  status: number | null
  /** The response's JSON text, byte for byte. */
  body: string | null
  orderId: string | null
  /** The response contains game keys, so it is deleted as soon as it expires. */
  holdsKeys: boolean
  expiresAt: number
}

export interface IdempotencyRepository {
  find(scope: string, key: string): StoredCall | undefined
  /** Inserts a call, or replaces the one with the same scope and key. */
  put(call: StoredCall): void
  answer(scope: string, key: string, status: number, body: string): void
  /** Deletes calls that expired at or before `at`. Returns their number. */
  purge(at: number): number
  nextExpiry(): number | null
}
