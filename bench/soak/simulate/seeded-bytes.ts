import { createHash } from 'node:crypto'

/** Bytes that look random and are the same for the same name. */
export interface SeededBytes {
  /** Starts again, with the sequence of this name. */
  restart(name: string): void
  take(count: number): Buffer
  uuid(): string
}

const BLOCK = 4096

export function createSeededBytes(first = ''): SeededBytes {
  let name = first
  let blocks = 0
  let block: Buffer = Buffer.alloc(0)
  let used = 0
  const digest = (place: string, length: number): Buffer =>
    createHash('shake256', { outputLength: length }).update(place).digest()

  function take(count: number): Buffer {
    if (count > BLOCK) return digest(`${name} ${(blocks += 1)}`, count)
    if (used + count > block.length) {
      block = digest(`${name} ${(blocks += 1)}`, BLOCK)
      used = 0
    }
    const bytes = Buffer.from(block.subarray(used, used + count))
    used += count
    return bytes
  }
  return {
    restart(next) {
      name = next
      blocks = 0
      block = Buffer.alloc(0)
      used = 0
    },
    take,
    uuid() {
      const bytes = take(16)
      bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
      bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
      const text = bytes.toString('hex')
      return [
        text.slice(0, 8),
        text.slice(8, 12),
        text.slice(12, 16),
        text.slice(16, 20),
        text.slice(20),
      ].join('-')
    },
  }
}
