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

type Filling = { keys: number; bytes: number }

/**
 * What adding a key to an open request does: `before` is true if it has no space for the key and is
 * sent without it, `after` if the key completes a request.
 */
type Added = { readonly before: boolean; readonly after: boolean }
// No object is created for a key.
const SENT_NONE: Added = { before: false, after: false }
const SENT_BEFORE: Added = { before: true, after: false }
const SENT_AFTER: Added = { before: false, after: true }
const SENT_BOTH: Added = { before: true, after: true }

/**
 * Decides which keys go into the same request: at most 1000 per offer and 8 MiB. Keys that this
 * console uploaded before go into separate, small requests. The check counts requests with it, the
 * plan fills them.
 */
export function createRequestRules() {
  /** The open requests by offer. */
  const first: (Filling | undefined)[] = []
  const repeats: (Filling | undefined)[] = []
  const repeatsBefore: number[] = []
  let closed = 0
  function close(offer: number, suspected: boolean, { keys }: Filling): void {
    if (suspected) repeatsBefore[offer] = (repeatsBefore[offer] ?? 0) + keys
    const open = suspected ? repeats : first
    open[offer] = undefined
    closed++
  }
  const countOpen = (open: readonly (Filling | undefined)[]): number =>
    open.filter((request) => request !== undefined).length
  return {
    /** Adds a key of `length` bytes to the offer's open request of this kind. */
    add(offer: number, suspected: boolean, length: number): Added {
      const size = sizeOf(length)
      const open = suspected ? repeats : first
      const current = open[offer]
      const before = current !== undefined && current.bytes + size > MOST_REQUEST_BYTES
      if (before) close(offer, suspected, current)
      const request = before || current === undefined ? { keys: 0, bytes: 0 } : current
      if (request !== current) open[offer] = request
      request.keys++
      request.bytes += size
      const most = suspected ? repeatsTogether(repeatsBefore[offer] ?? 0) : KEYS_PER_REQUEST
      const after = request.keys === most
      if (after) close(offer, suspected, request)
      if (before) return after ? SENT_BOTH : SENT_BEFORE
      return after ? SENT_AFTER : SENT_NONE
    },
    /** The number of requests for the keys added so far. */
    count: (): number => closed + countOpen(first) + countOpen(repeats),
  }
}

/** Bytes of a key in a request's frame. */
const sizeOf = (length: number): number => head + (length >= LONG ? 4 : 0) + length

/**
 * Collects ready lines into requests and seals each request as soon as it is full; only the open
 * requests are held in memory.
 */
export function createPlanner(
  path: string,
  key: FrameKey,
): { take: TakeLine; finish(): PlannedRequest[]; abandon(): void } {
  const frames = openFrames(path, key, true)
  const rules = createRequestRules()
  const open = { first: new Map<number, Buffer[]>(), repeats: new Map<number, Buffer[]>() }
  const requests: (PlannedRequest & { repeats: boolean })[] = []
  const close = (offer: number, kind: keyof typeof open): void => {
    const parts = open[kind].get(offer) ?? []
    if (parts.length === 0) return
    const { index, offset, length } = frames.append(Buffer.concat(parts))
    requests.push({
      offer,
      keys: parts.length,
      frame: index,
      offset,
      length,
      repeats: kind === 'repeats',
    })
    open[kind].delete(offer)
  }
  return {
    take(file, block, index, offer, suspected, text) {
      const kind = suspected ? 'repeats' : 'first'
      const { before, after } = rules.add(offer, suspected, text.length)
      if (before) close(offer, kind)
      const parts = open[kind].get(offer) ?? []
      if (parts.length === 0) open[kind].set(offer, parts)
      parts.push(
        encodeKey(
          fingerprintBytes(block.words, block.fingerprintAt(index)),
          file,
          block.line(index).line,
          text,
        ),
      )
      if (after) close(offer, kind)
    },
    finish() {
      for (const kind of ['first', 'repeats'] as const)
        for (const offer of open[kind].keys()) close(offer, kind)
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
