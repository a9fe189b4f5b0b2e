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
import { openValue, sealValue } from '../vault/vault.ts'

/**
 * Files of sealed frames: `length(4, little endian) sealed(length)`, one after another. Each frame
 * is sealed by itself (AES-256-GCM; associated data: account, record and the frame's number), so
 * that none can be changed, moved or taken from another file unnoticed.
 */
export type FrameKey = {
  seal: Buffer
  accountId: string
  /** What the file belongs to: import, file and purpose. */ record: string
}

export type Frame = {
  index: number
  offset: number
  /** Of the whole frame in the file, its length field included. */ length: number
}

/** Under what one frame of a file is sealed. */
export const frameRecord = (record: string, index: number): string => `${record}:${index}`

const overhead = 29
const largest = 64 * 1024 * 1024

/**
 * The frames that are whole, by their lengths alone. A torn one at the end, as a kill leaves it, is
 * not among them.
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

/** Opens one frame. Throws when it was changed, or sealed under another key. */
export function readFrame(file: number, key: FrameKey, frame: Frame): Buffer {
  const sealed = Buffer.allocUnsafe(frame.length - 4)
  readSync(file, sealed, 0, sealed.length, frame.offset + 4)
  return openValue(key.seal, key.accountId, frameRecord(key.record, frame.index), sealed)
}

/** Opens every frame of a file in order. */
export function* readFrames(path: string, key: FrameKey): Generator<Buffer, void, void> {
  const file = openSync(path, 'r')
  try {
    for (const frame of scanFrames(file).frames) yield readFrame(file, key, frame)
  } finally {
    closeSync(file)
  }
}

export interface FrameWriter {
  append(value: Uint8Array): Frame
  /** Makes what was written survive the end of the machine's power, and closes the file. */
  finish(): void
  close(): void
}

export type Write = (file: number, bytes: Uint8Array, offset: number, length: number) => number

/**
 * Appends frames to a file; a torn one at its end is cut off first. `fresh`: begins the file anew.
 * An append that fails leaves nothing behind.
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
      const sealed = sealValue(
        key.seal,
        randomBytes(12),
        key.accountId,
        frameRecord(key.record, index),
        value,
      )
      const whole = Buffer.allocUnsafe(sealed.length + 4)
      whole.writeUInt32LE(sealed.length)
      sealed.copy(whole, 4)
      try {
        for (let written = 0; written < whole.length;)
          written += write(file, whole, written, whole.length - written)
      } catch (error) {
        // A full disk takes part of it: what follows must not stand behind that.
        ftruncateSync(file, offset)
        throw error
      }
      const frame = { index, offset, length: whole.length }
      frames.push(frame)
      offset += whole.length
      return frame
    },
    finish() {
      fsyncSync(file)
      closeSync(file)
    },
    close: () => closeSync(file),
  }
}

/**
 * Overwrites what a frame holds; its place stays, so that the frames after it can still be found.
 */
export function eraseFrame(file: number, frame: Pick<Frame, 'offset' | 'length'>): void {
  const zeros = Buffer.alloc(frame.length - 4)
  writeSync(file, zeros, 0, zeros.length, frame.offset + 4)
}
