import { fingerprintBytes } from './fingerprint.ts'
import type { FrameKey } from './frames.ts'
import { openFrames } from './frames.ts'
import type { ReadyLine } from './weigh.ts'

/** Keys per request (Seller API, Limits). */
export const KEYS_PER_REQUEST = 1000

/** One key that waits to be sent, with where it came from. */
export type WaitingKey = { fingerprint: Buffer; /** Number of the file in the import. */ file: number; line: number; key: string }

/** One request of the plan and the sealed frame that holds its keys. */
export type PlannedRequest = { /** Number of the offer in the import. */ offer: number; keys: number; frame: number; offset: number; length: number }

/** Bytes before each key: fingerprint (16), file (2), line (4), length (2). */
const head = 24

export function decodeRequest(value: Buffer): WaitingKey[] {
  const keys: WaitingKey[] = []
  for (let at = 0; at < value.length;) {
    const length = value.readUInt16LE(at + 22)
    keys.push({
      fingerprint: Buffer.from(value.subarray(at, at + 16)), file: value.readUInt16LE(at + 16), line: value.readUInt32LE(at + 18),
      key: value.toString('utf8', at + head, at + head + length),
    })
    at += head + length
  }
  return keys
}

/**
 * Collects ready lines into requests of at most 1000 keys per offer and seals each as soon as it is full; nothing is kept but the open
 * request of each offer.
 */
export function createPlanner(path: string, key: FrameKey): { take: ReadyLine; finish(): PlannedRequest[]; abandon(): void } {
  const frames = openFrames(path, key, true)
  const open = new Map<number, Buffer[]>()
  const requests: PlannedRequest[] = []
  const close = (offer: number, parts: Buffer[]): void => {
    const { index, offset, length } = frames.append(Buffer.concat(parts))
    requests.push({ offer, keys: parts.length, frame: index, offset, length })
    open.delete(offer)
  }
  return {
    take(file, block, index, offer) {
      const bytes = block.bytesOf(index)
      const part = Buffer.allocUnsafe(head + bytes.length)
      fingerprintBytes(block.words, block.fingerprintAt(index)).copy(part)
      part.writeUInt16LE(file, 16)
      part.writeUInt32LE(block.line(index).line, 18)
      part.writeUInt16LE(bytes.length, 22)
      bytes.copy(part, head)
      const parts = open.get(offer) ?? []
      if (parts.length === 0) open.set(offer, parts)
      parts.push(part)
      if (parts.length === KEYS_PER_REQUEST) close(offer, parts)
    },
    finish() {
      for (const [offer, parts] of [...open]) close(offer, parts)
      frames.finish()
      // One offer after another, its keys in the order of the files.
      return requests.toSorted((a, b) => a.offer - b.offer || a.frame - b.frame)
    },
    abandon: () => frames.close(),
  }
}
