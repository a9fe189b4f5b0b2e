/**
 * Longer lines are reported as too long and not held in memory; the longest key has 4,096
 * characters.
 */
export const MAX_LINE_BYTES = 65_536

export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/**
 * One line: its bytes are `bytes[start..end)`, valid only during the call. `offset` and `length`
 * give its position in the file without its line ending. `length` above `end - start` means that
 * the line was too long to hold.
 */
export type LineSink = (
  bytes: Buffer,
  start: number,
  end: number,
  offset: number,
  length: number,
) => void

const lineFeeds = {
  'utf-8': [10],
  'windows-1252': [10],
  'utf-16le': [10, 0],
  'utf-16be': [0, 10],
} as const
const carriageReturns = {
  'utf-8': [13],
  'windows-1252': [13],
  'utf-16le': [13, 0],
  'utf-16be': [0, 13],
} as const

export interface LineSplitter {
  push(chunk: Buffer): void
  /** Emits the last line if the file doesn't end with a line ending. */
  end(): void
}

/**
 * Splits a stream of bytes into lines at `\n`, `\r\n` and `\r`, also mixed, and nowhere else
 * (U+2028 isn't a line ending). The result doesn't depend on the chunks. Never holds more than
 * {@link MAX_LINE_BYTES} of a line.
 *
 * @param from file offset of the first byte pushed (after a byte order mark)
 */
export function createLineSplitter(
  encoding: TextEncodingName,
  from: number,
  sink: LineSink,
): LineSplitter {
  const feed = Buffer.from(lineFeeds[encoding])
  const carriage = Buffer.from(carriageReturns[encoding])
  const width = feed.length
  const held = Buffer.alloc(MAX_LINE_BYTES)
  let heldLength = 0
  /** Bytes of the current line so far, held or not, and its start. */
  let openLength = 0
  let openOffset = from
  let position = from
  let skipFeed = false
  let half: Buffer | null = null

  const find = (chunk: Buffer, what: Buffer, start: number): number => {
    let at = width === 1 ? chunk.indexOf(what[0] ?? 0, start) : chunk.indexOf(what, start)
    while (width === 2 && at >= 0 && (at & 1) === 1) at = chunk.indexOf(what, at + 1)
    return at
  }
  const hold = (chunk: Buffer, start: number, end: number): void => {
    const room = Math.min(end - start, MAX_LINE_BYTES - heldLength)
    chunk.copy(held, heldLength, start, start + room)
    heldLength += room
    openLength += end - start
  }
  const tell = (chunk: Buffer, start: number, end: number, base: number, after: number): void => {
    if (openLength > 0) {
      hold(chunk, start, end)
      sink(held, 0, heldLength, openOffset, openLength)
    } else if (end - start > MAX_LINE_BYTES)
      sink(chunk, start, start + MAX_LINE_BYTES, base + start, end - start)
    else sink(chunk, start, end, base + start, end - start)
    heldLength = 0
    openLength = 0
    openOffset = base + after
  }
  const split = (chunk: Buffer): void => {
    const base = position
    position += chunk.length
    let start = 0
    if (skipFeed && chunk.length > 0) {
      skipFeed = false
      if (find(chunk.subarray(0, width), feed, 0) === 0) start = openOffset = width
      openOffset = base + start
    }
    let nextFeed = find(chunk, feed, start)
    let nextReturn = find(chunk, carriage, start)
    for (;;) {
      const atReturn = nextReturn >= 0 && (nextFeed < 0 || nextReturn < nextFeed)
      const stop = atReturn ? nextReturn : nextFeed
      if (stop < 0) break
      let after = stop + width
      if (atReturn) {
        if (after >= chunk.length) skipFeed = true
        else if (nextFeed === after) after += width
        nextReturn = find(chunk, carriage, after)
      }
      tell(chunk, start, stop, base, after)
      start = after
      if (nextFeed >= 0 && nextFeed < start) nextFeed = find(chunk, feed, start)
    }
    if (start < chunk.length) hold(chunk, start, chunk.length)
  }

  return {
    push(chunk) {
      let bytes = chunk
      if (half !== null) bytes = Buffer.concat([half, chunk])
      half = null
      if (width === 2 && bytes.length % 2 === 1) {
        half = Buffer.from(bytes.subarray(bytes.length - 1))
        bytes = bytes.subarray(0, bytes.length - 1)
      }
      if (bytes.length > 0) split(bytes)
    },
    end() {
      if (half !== null) hold(half, 0, 1)
      if (openLength > 0) sink(held, 0, heldLength, openOffset, openLength)
      half = null
      heldLength = 0
      openLength = 0
    },
  }
}
