import type { LineReason } from '../../../contract/keys/import-records.ts'
import type { FrameKey, FrameWriter } from './frames.ts'
import { openFrames, readFrame, readFrames } from './frames.ts'
import type { Frame } from './frames.ts'
import type { PrintMany } from '../fingerprint/four-keys.ts'

/**
 * The result of reading a file, line by line, sealed in blocks: everything that doesn't depend on
 * offers or other files. Lines are classified, shown and planned from it without reading the file
 * again.
 */
export const LINES_PER_BLOCK = 4096

/** Reasons found while reading, and other properties of a line, as bits. */
export const bits = {
  blank: 1,
  'too-long': 2,
  'control-characters': 4,
  'invalid-encoding': 8,
  'spreadsheet-damage': 16,
  'missing-column': 32,
  'no-picture': 64,
  'picture-too-large': 128,
  'spaces-removed': 256,
  'invisible-removed': 512,
  'quotes-removed': 1024,
  confusable: 2048,
  'looks-like-date': 4096,
  /** Only digits: a candidate for a lost leading zero. */
  digits: 8192,
  'spreadsheet-error': 1 << 14,
  'label-removed': 1 << 15,
  placeholder: 1 << 16,
  'no-key': 1 << 17,
  'text-beside-key': 1 << 18,
  'marked-used': 1 << 19,
  'code-beside-key': 1 << 20,
} as const satisfies Partial<Record<LineReason, number>> & { digits: number }
export const rejectedBits = 255 | bits['spreadsheet-error']
/** Bits for what was cleaned, and bits for what a person should check. */
export const cleanedBits = 256 | 512 | 1024 | bits['label-removed']
export const warningBits = 2048 | 4096
/** Bits of lines that are sent only if a person includes them. */
export const setAsideBits =
  bits.placeholder |
  bits['no-key'] |
  bits['text-beside-key'] |
  bits['marked-used'] |
  bits['code-beside-key']
/** All bits that produce reasons. */
export const reasonBits = rejectedBits | cleanedBits | warningBits | setAsideBits
/**
 * Increase this when the meaning of a block's content changes: files checked with an older format
 * are read again.
 */
export const CHECKED_FORMAT = 4

/**
 * Words per record: line, offset (low, high), length, bits, target and purchase, shapes, length of the text,
 * fingerprint (4).
 */
const width = 12
/** The target of a line takes the lower half of its word. */
const mostTarget = 0xffff
/** Copying up to this many bytes in a loop is faster than a call. */
const shortText = 64

export type CheckedLine = {
  line: number
  offset: number
  length: number
  bits: number
  target: number
  /** Shares a word with the target. */ purchase: number
  shapes: number
  textLength: number
}

/**
 * One block in memory. The text of a line is its key, or the start of its content if the line is
 * rejected.
 */
export class Block {
  readonly count: number
  readonly words: Uint32Array
  readonly text: Buffer
  readonly #starts: Uint32Array

  constructor(value: Buffer) {
    this.count = value.readUInt32LE(0)
    const at = value.byteOffset + 4
    const length = this.count * width
    this.words =
      at % 4 === 0
        ? new Uint32Array(value.buffer, at, length)
        : new Uint32Array(value.buffer.slice(at, at + length * 4))
    this.text = value.subarray(4 + this.count * width * 4)
    this.#starts = new Uint32Array(this.count + 1)
    for (let index = 0; index < this.count; index++)
      this.#starts[index + 1] = (this.#starts[index] ?? 0) + (this.words[index * width + 7] ?? 0)
  }

  /** The index in `words` at which a line's fingerprint starts. */
  fingerprintAt(index: number): number {
    return index * width + 8
  }
  bitsOf(index: number): number {
    return this.words[index * width + 4] ?? 0
  }
  targetOf(index: number): number {
    return (this.words[index * width + 5] ?? 0) & mostTarget
  }
  /** The index + 1 of the line's cost and supplier in its file; 0 if it has none. */
  purchaseOf(index: number): number {
    return (this.words[index * width + 5] ?? 0) >>> 16
  }
  shapesOf(index: number): number {
    return this.words[index * width + 6] ?? 0
  }
  lengthOf(index: number): number {
    return this.words[index * width + 7] ?? 0
  }
  line(index: number): CheckedLine {
    const at = index * width
    const word = (offset: number): number => this.words[at + offset] ?? 0
    return {
      line: word(0),
      offset: word(1) + word(2) * 2 ** 32,
      length: word(3),
      bits: word(4),
      target: word(5) & mostTarget,
      purchase: word(5) >>> 16,
      shapes: word(6),
      textLength: word(7),
    }
  }
  bytesOf(index: number): Buffer {
    return this.text.subarray(this.#starts[index], this.#starts[index + 1])
  }
}

export interface CheckedLinesWriter {
  /**
   * Adds a line. Its text is `bytes[from..to)`; `fingerprint` holds four words, zeros for a
   * rejected line. Pass null if the text is the key: the fingerprints of a block are computed
   * together.
   */
  add(
    line: Omit<CheckedLine, 'textLength' | 'purchase'> & { purchase?: number },
    bytes: Uint8Array,
    from: number,
    to: number,
    fingerprint: Uint32Array | null,
  ): void
  finish(): void
  /** Closes the file early, for a check that failed. */
  abandon(): void
}

export function writeCheckedLines(
  path: string,
  key: FrameKey,
  fingerprints: PrintMany,
): CheckedLinesWriter {
  const frames: FrameWriter = openFrames(path, key, true)
  const words = new Uint32Array(LINES_PER_BLOCK * width)
  let text = Buffer.allocUnsafe(1 << 18)
  /** A block, reused: a new one each time would keep the garbage collector busy. */
  let block = Buffer.alloc(0)
  let textLength = 0
  let count = 0
  /**
   * For each key without a fingerprint: its position in `text`, and the index in `words` for its
   * fingerprint.
   */
  const keys = new Uint32Array(LINES_PER_BLOCK * 3)
  let unprinted = 0
  function flush(): void {
    if (count === 0) return
    fingerprints(text, keys, unprinted, words)
    const length = 4 + count * width * 4 + textLength
    if (block.length < length) block = Buffer.allocUnsafe(length * 2)
    block.writeUInt32LE(count)
    Buffer.from(words.buffer, 0, count * width * 4).copy(block, 4)
    text.copy(block, 4 + count * width * 4, 0, textLength)
    frames.append(block.subarray(0, length))
    count = 0
    unprinted = 0
    textLength = 0
  }
  return {
    add(line, bytes, from, to, fingerprint) {
      const length = to - from
      if (textLength + length > text.length)
        text = Buffer.concat(
          [text.subarray(0, textLength)],
          Math.max(text.length * 2, textLength + length),
        )
      if (length > shortText) text.set(bytes.subarray(from, to), textLength)
      else
        for (let byte = 0; byte < length; byte++) text[textLength + byte] = bytes[from + byte] ?? 0
      textLength += length
      const at = count * width
      words[at] = line.line
      words[at + 1] = line.offset % 2 ** 32
      words[at + 2] = Math.floor(line.offset / 2 ** 32)
      words[at + 3] = Math.min(line.length, 0xffff_ffff)
      words[at + 4] = line.bits
      words[at + 5] = (line.target | ((line.purchase ?? 0) << 16)) >>> 0
      words[at + 6] = line.shapes
      words[at + 7] = length
      if (fingerprint === null) {
        const place = unprinted++ * 3
        keys[place] = textLength - length
        keys[place + 1] = textLength
        keys[place + 2] = at + 8
      } else for (let word = 0; word < 4; word++) words[at + 8 + word] = fingerprint[word] ?? 0
      count++
      if (count === LINES_PER_BLOCK) flush()
    },
    finish() {
      flush()
      frames.finish()
    },
    abandon: () => frames.close(),
  }
}

export function* readCheckedLines(path: string, key: FrameKey): Generator<Block, void, void> {
  for (const value of readFrames(path, key)) yield new Block(value)
}

/** The block that contains the line with this index. */
export const blockOf = (index: number): number => Math.floor(index / LINES_PER_BLOCK)

export const readBlock = (file: number, key: FrameKey, frame: Frame): Block =>
  new Block(readFrame(file, key, frame))
