/**
 * The first answer to a call with an Idempotency-Key. Without `status` the call was accepted and
 * its answer not yet given.
 */
export interface StoredCall {
  scope: string
  key: string
  /** SHA-256 of the body's canonical JSON. */
  digest: Uint8Array
  status: number | null
  /** The answer's JSON text, byte for byte. */
  body: string | null
  orderId: string | null
  /** The answer carries game keys: it is dropped as soon as it expires. */
  holdsKeys: boolean
  expiresAt: number
}

export interface IdempotencyRepository {
  find(scope: string, key: string): StoredCall | undefined
  /** Inserts, or replaces an expired one. */
  put(call: StoredCall): void
  answer(scope: string, key: string, status: number, body: string): void
  /** Forgets what expired at or before `at`; gives how many. */
  purge(at: number): number
  nextExpiry(): number | null
}
