import { bits, CHECKED_FORMAT, writeCheckedLines } from '../spool/checked-lines.ts'
import type { Block } from '../spool/checked-lines.ts'
import type { Fingerprints } from '../fingerprint/fingerprint.ts'
import type { PicturePart, ReadFileResult, ReadFileTask } from './read-task.ts'
import { pictureSize } from '../../picture-size.ts'
import { pictureType } from '../../picture-type.ts'
import { openSpool } from '../spool/spool-reader.ts'
import type { SpoolReader } from '../spool/spool-reader.ts'
import { anyShape } from './text/shapes.ts'

/**
 * The largest picture the service accepts as a key (Decision 28), and the largest one to decode.
 */
const MOST_BYTES = 512 * 1024
const MOST_PIXELS = 40_000_000
const SHOWN_CHARACTERS = 64

/** The picture of a line in the form the service accepts as a key. */
export function pictureKey(spool: SpoolReader, block: Block, index: number): Buffer {
  const { offset, length } = block.line(index)
  const bytes = spool.read(offset, length)
  return keyOf(pictureType(bytes) ?? '', bytes)
}

/** Bytes of a picture as a key, at most. */
export const pictureKeyLength = (block: Block, index: number): number =>
  'data:image/jpeg;base64,'.length + Math.ceil(block.line(index).length / 3) * 4

const keyOf = (type: string, bytes: Buffer): Buffer =>
  Buffer.from(`data:${type};base64,${bytes.toString('base64')}`)

function refusalOf(bytes: Buffer, size: number): 'no-picture' | 'picture-too-large' | null {
  const type = pictureType(bytes)
  const found = type === null ? null : pictureSize(type, bytes)
  if (found === null || found.width === 0 || found.height === 0 || bytes.length < Math.min(size, 1))
    return 'no-picture'
  return size > MOST_BYTES || found.width * found.height > MOST_PIXELS ? 'picture-too-large' : null
}

/**
 * Reads the pictures in a spooled file: each is one key, with its number as the line and its name
 * as the text.
 */
export function readPictures(
  task: ReadFileTask,
  parts: readonly PicturePart[],
  fingerprints: Fingerprints,
  tell: (lines: number) => void,
): ReadFileResult {
  const spool = openSpool(task.spool.path, task.spool.key)
  const writer = writeCheckedLines(task.checked.path, task.checked.key, fingerprints.many)
  const print = new Uint32Array(4)
  const none = new Uint32Array(4)
  try {
    let offset = 0
    for (const [index, { name, size }] of parts.entries()) {
      const bytes = spool.read(offset, Math.min(size, MOST_BYTES))
      const why = refusalOf(bytes, size)
      const shown = Buffer.from(name.slice(-SHOWN_CHARACTERS))
      if (why === null) {
        const key = keyOf(pictureType(bytes) ?? '', bytes)
        fingerprints.one(key, 0, key.length, print, 0)
      }
      writer.add(
        {
          line: index + 1,
          offset,
          length: size,
          bits: why === null ? 0 : bits[why],
          target: 0,
          shapes: anyShape,
        },
        shown,
        0,
        shown.length,
        why === null ? print : none,
      )
      offset += size
      tell(index + 1)
    }
    writer.finish()
  } catch (error) {
    writer.abandon()
    throw error
  } finally {
    spool.close()
  }
  return {
    format: CHECKED_FORMAT,
    kind: 'pictures',
    shape: 'pictures',
    sheets: [],
    logins: false,
    settings: {
      form: 'lines',
      delimiter: ',',
      encoding: 'utf-8',
      header: false,
      skipLines: 0,
      keyColumn: 0,
      offerColumn: null,
      sheet: 0,
    },
    columns: ['Picture'],
    lines: parts.length,
    targets: [{ value: null, lines: parts.length }],
    digitsLength: null,
  }
}
