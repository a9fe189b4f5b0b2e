import { randomBytes, randomUUID } from 'node:crypto'

/** Randomness, injected so that tests are repeatable. */
export interface Randomness {
  /** A new record ID (UUID v4). */
  id(): string
  bytes(length: number): Buffer
  /** At least 0 and below 1; for jitter only. */
  fraction(): number
}

export const systemRandomness: Randomness = {
  id: () => randomUUID(),
  bytes: (length) => randomBytes(length),
  fraction: () => randomBytes(4).readUInt32BE() / 2 ** 32,
}
