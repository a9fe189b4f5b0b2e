import { randomBytes, randomFillSync, randomUUID } from 'node:crypto'

/** Randomness, injected so that tests are repeatable. */
export interface Randomness {
  /** A new record ID (UUID v4). */
  id(): string
  /** Can be a key: overwriting the buffer erases it. */
  bytes(length: number): Buffer
  /** At least 0 and below 1; for jitter only. */
  fraction(): number
}

export const systemRandomness: Randomness = {
  id: () => randomUUID(),
  // A buffer of up to 64 bytes is otherwise a part of the JavaScript heap, and the garbage
  // collector leaves a copy behind whenever it moves it.
  bytes: (length) => randomFillSync(Buffer.from(new ArrayBuffer(length))),
  fraction: () => randomBytes(4).readUInt32BE() / 2 ** 32,
}
