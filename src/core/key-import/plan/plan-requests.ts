import { fingerprintBytes } from '../fingerprint/fingerprint.ts'
import type { FrameKey } from '../spool/frames.ts'
import { openFrames } from '../spool/frames.ts'
import type { Block } from '../spool/checked-lines.ts'

/** Keys per request (Seller API, Limits). */
export const KEYS_PER_REQUEST = 1000
/**
 * Maximum bytes of keys in a request: pictures are large, and a body has at most 16 MiB (Decision
 * 9).
 */
const MOST_REQUEST_BYTES = 8 * 1024 * 1024

/** One key waiting to be sent, with its origin. */
export type WaitingKey = {
  fingerprint: Buffer
  /** Number of the file in the import. */ file: number
  line: number
  key: string
}

/** One request of the plan and the sealed frame that holds its keys. */
export type PlannedRequest = {
  /** Number of the offer in the import. */ offer: number
  keys: number
  frame: number
  offset: number
  length: number
}

/**
 * Adds a ready line. `suspected`: this console uploaded the key before. `key`: the content to send.
 */
export type TakeLine = (
  file: number,
  block: Block,
  index: number,
  offer: number,
  suspected: boolean,
  key: Buffer,
) => void

/**
 * Bytes before each key: fingerprint (16), file (2), line (4), length (2; the value 65,535 means
 * that four more bytes hold the length).
 */
const head = 24
const LONG = 0xffff

export function decodeRequest(value: Buffer): WaitingKey[] {
  const keys: WaitingKey[] = []
  for (let at = 0; at < value.length;) {
    const short = value.readUInt16LE(at + 22)
    const begins = short === LONG ? at + head + 4 : at + head
    const length = short === LONG ? value.readUInt32LE(at + head) : short
    keys.push({
      fingerprint: Buffer.from(value.subarray(at, at + 16)),
      file: value.readUInt16LE(at + 16),
      line: value.readUInt32LE(at + 18),
      key: value.toString('utf8', begins, begins + length),
    })
    at = begins + length
  }
  return keys
}

function encodeKey(fingerprint: Buffer, file: number, line: number, key: Buffer): Buffer {
  const isLong = key.length >= LONG
  const part = Buffer.allocUnsafe(head + (isLong ? 4 : 0) + key.length)
  fingerprint.copy(part)
  part.writeUInt16LE(file, 16)
  part.writeUInt32LE(line, 18)
  part.writeUInt16LE(isLong ? LONG : key.length, 22)
  if (isLong) part.writeUInt32LE(key.length, head)
  key.copy(part, part.length - key.length)
  return part
}

/**
 * Number of suspected repeats per request, by how many of the offer were planned before. The
 * service only reports counts, so the outcome of a key is certain only if it is sent alone or if
 * all keys of its request have the same outcome. Sending tens of thousands one by one would take
 * hours.
 */
export const repeatsTogether = (before: number): number =>
  before < 100 ? 1 : before < 1100 ? 10 : 100

/**
 * Collects ready lines into requests of at most 1000 keys per offer and seals each request as soon
 * as it is full; only the open requests are held in memory. Keys that this console uploaded before
 * are sent separately, in small requests.
 */
export function createPlanner(
  path: string,
  key: FrameKey,
): { take: TakeLine; finish(): PlannedRequest[]; abandon(): void } {
  const frames = openFrames(path, key, true)
  type Open = { parts: Buffer[]; bytes: number }
  const open = new Map<number, Open>()
  const openRepeats = new Map<number, Open>()
  const repeats = new Map<number, number>()
  const requests: (PlannedRequest & { repeats: boolean })[] = []
  const close = (offer: number, of: Map<number, Open>, { parts }: Open): void => {
    const { index, offset, length } = frames.append(Buffer.concat(parts))
    requests.push({
      offer,
      keys: parts.length,
      frame: index,
      offset,
      length,
      repeats: of === openRepeats,
    })
    if (of === openRepeats) repeats.set(offer, (repeats.get(offer) ?? 0) + parts.length)
    of.delete(offer)
  }
  return {
    take(file, block, index, offer, suspected, text) {
      const of = suspected ? openRepeats : open
      const part = encodeKey(
        fingerprintBytes(block.words, block.fingerprintAt(index)),
        file,
        block.line(index).line,
        text,
      )
      const before = of.get(offer)
      if (before !== undefined && before.bytes + part.length > MOST_REQUEST_BYTES)
        close(offer, of, before)
      const request = of.get(offer) ?? { parts: [], bytes: 0 }
      if (request.parts.length === 0) of.set(offer, request)
      request.parts.push(part)
      request.bytes += part.length
      if (
        request.parts.length ===
        (suspected ? repeatsTogether(repeats.get(offer) ?? 0) : KEYS_PER_REQUEST)
      )
        close(offer, of, request)
    },
    finish() {
      for (const some of [open, openRepeats])
        for (const [offer, request] of Array.from(some)) close(offer, some, request)
      frames.finish()
      // Offer by offer, keys in file order, suspected repeats last.
      return requests
        .toSorted(
          (a, b) => a.offer - b.offer || Number(a.repeats) - Number(b.repeats) || a.frame - b.frame,
        )
        .map(({ repeats: _repeats, ...request }) => request)
    },
    abandon: () => frames.close(),
  }
}

/** Plans keys to return to one offer: in their order, at most 1000 per request. */
export function writePlan(
  path: string,
  key: FrameKey,
  keys: readonly WaitingKey[],
): PlannedRequest[] {
  const frames = openFrames(path, key, true)
  const requests: PlannedRequest[] = []
  let parts: Buffer[] = []
  let bytes = 0
  const close = (): void => {
    if (parts.length === 0) return
    const { index, offset, length } = frames.append(Buffer.concat(parts))
    requests.push({ offer: 0, keys: parts.length, frame: index, offset, length })
    parts = []
    bytes = 0
  }
  for (const each of keys) {
    const part = encodeKey(each.fingerprint, each.file, each.line, Buffer.from(each.key, 'utf8'))
    if (parts.length === KEYS_PER_REQUEST || bytes + part.length > MOST_REQUEST_BYTES) close()
    parts.push(part)
    bytes += part.length
  }
  close()
  frames.finish()
  return requests
}
