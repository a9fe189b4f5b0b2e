import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import { syncFolder } from '../../durable-files.ts'
import { openValue, sealParts } from '../../vault/vault.ts'

/**
 * Files of sealed frames: `length(4, little endian) sealed(length)`, one after another. Each frame
 * is sealed separately (AES-256-GCM; associated data: account, record and frame number), so that
 * changing, moving or copying a frame is detected.
 */
export type FrameKey = {
  seal: Buffer
  accountId: string
  /** The owner of the file: import, file and purpose. */ record: string
}

export type Frame = {
  index: number
  offset: number
  /** Length of the complete frame in the file, including its length field. */ length: number
}

/** The associated data of one frame. */
export const frameRecord = (record: string, index: number): string => `${record}:${index}`

const overhead = 29
const largest = 64 * 1024 * 1024

/**
 * Lists the complete frames by their lengths. Skips an incomplete frame at the end, which a kill
 * can leave behind.
 */
export function scanFrames(file: number): { frames: Frame[]; end: number } {
  const size = fstatSync(file).size
  const header = Buffer.alloc(4)
  const frames: Frame[] = []
  let offset = 0
  while (offset + 4 <= size) {
    readSync(file, header, 0, 4, offset)
    const length = header.readUInt32LE() + 4
    if (length < overhead + 4 || length > largest || offset + length > size) break
    frames.push({ index: frames.length, offset, length })
    offset += length
  }
  return { frames, end: offset }
}

/** Length of a frame's value. */
export const valueLength = (frame: Frame): number => frame.length - 4 - overhead

/**
 * Opens one frame. Throws if it was changed or sealed under another key.
 *
 * @param sealed at least as long as the frame; overwritten
 */
export function readFrame(
  file: number,
  key: FrameKey,
  frame: Frame,
  sealed = Buffer.allocUnsafe(frame.length - 4),
): Buffer {
  const length = readSync(file, sealed, 0, frame.length - 4, frame.offset + 4)
  return openValue(
    key.seal,
    key.accountId,
    frameRecord(key.record, frame.index),
    sealed.subarray(0, length),
  )
}

/** Opens every frame of a file in order. */
export function* readFrames(path: string, key: FrameKey): Generator<Buffer, void, void> {
  const file = openSync(path, 'r')
  try {
    const { frames } = scanFrames(file)
    // One buffer for all frames: allocating one for each would keep the garbage collector busy.
    const sealed = Buffer.allocUnsafe(
      frames.reduce((most, { length }) => Math.max(most, length), 0),
    )
    for (const frame of frames) yield readFrame(file, key, frame, sealed)
  } finally {
    closeSync(file)
  }
}

export interface FrameWriter {
  append(value: Uint8Array): Frame
  /** Flushes the file and its name to disk so that it survives a power loss, and closes it. */
  finish(): void
  close(): void
}

export type Write = (file: number, bytes: Uint8Array, offset: number, length: number) => number

/**
 * Appends frames to a file, after cutting off an incomplete frame at its end. `fresh`: truncates
 * the file first. A failed append leaves nothing behind.
 */
export function openFrames(
  path: string,
  key: FrameKey,
  fresh: boolean,
  write: Write = writeSync,
): FrameWriter & { frames: Frame[] } {
  const file = openSync(path, fresh ? 'w+' : 'a+', 0o600)
  const { frames, end } = scanFrames(file)
  ftruncateSync(file, end)
  let offset = end
  return {
    frames,
    append(value) {
      const index = frames.length
      const [head, encrypted] = sealParts(
        key.seal,
        randomBytes(12),
        key.accountId,
        frameRecord(key.record, index),
        value,
      )
      const sealedLength = Buffer.alloc(4)
      sealedLength.writeUInt32LE(head.length + encrypted.length)
      try {
        for (const part of [Buffer.concat([sealedLength, head]), encrypted])
          for (let written = 0; written < part.length;)
            written += write(file, part, written, part.length - written)
      } catch (error) {
        // A full disk may have written a part of the frame. Remove it, so that the next frame
        // doesn't follow incomplete data.
        ftruncateSync(file, offset)
        throw error
      }
      const frame = { index, offset, length: 4 + head.length + encrypted.length }
      frames.push(frame)
      offset += frame.length
      return frame
    },
    finish() {
      fsyncSync(file)
      closeSync(file)
      syncFolder(dirname(path))
    },
    close: () => closeSync(file),
  }
}

/**
 * Overwrites the content of a frame but keeps its length, so that later frames can still be found.
 */
export function eraseFrame(file: number, frame: Pick<Frame, 'offset' | 'length'>): void {
  const zeros = Buffer.alloc(frame.length - 4)
  writeSync(file, zeros, 0, zeros.length, frame.offset + 4)
}
