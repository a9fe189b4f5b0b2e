import { crc32, createInflateRaw } from 'node:zlib'
import type { SpoolReader } from '../../spool/spool-reader.ts'
import { fileProblem, UnreadableFile } from '../unreadable.ts'

const MB = 1024 * 1024
/**
 * Limits for the archive's size, its unpacked size, and the growth factor of an entry, so that a
 * small file can't fill the memory.
 */
export const zipLimits = {
  packed: 50 * MB,
  unpacked: 500 * MB,
  ratio: 100,
  /** Smaller entries may grow without limit. */ harmless: MB,
  entries: 10_000,
}

const PIECE = 256 * 1024
const END = 22

export type ZipEntry = {
  name: string
  method: number
  encrypted: boolean
  packed: number
  crc: number
  offset: number
}

export const damagedZip = (): UnreadableFile =>
  new UnreadableFile(
    fileProblem(
      'ARCHIVE_DAMAGED',
      'This workbook or archive is damaged or incomplete.',
      'Open it in the program that created it, save it again, and add that file.',
    ),
  )
export const tooLargeZip = (): UnreadableFile =>
  new UnreadableFile(
    fileProblem(
      'WORKBOOK_TOO_LARGE',
      'This workbook exceeds Keydesk’s limits: 50 MB, 500 MB unpacked, and no part 100 times its packed size.',
      'Save the sheet as csv and add that file. Text files can be larger.',
    ),
  )

/**
 * The entries in an archive's directory (PKWARE APPNOTE, sections 4.3.12 and 4.3.16). Throws
 * UnreadableFile for a damaged or too large archive.
 */
export function readDirectory(spool: SpoolReader): Map<string, ZipEntry> {
  if (spool.size > zipLimits.packed) throw tooLargeZip()
  const tailFrom = Math.max(0, spool.size - 65_535 - END)
  const tail = Buffer.from(spool.read(tailFrom, 65_535 + END))
  const end = tail.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')
  if (end < 0 || end + END > tail.length) throw damagedZip()
  const count = tail.readUInt16LE(end + 10)
  const length = tail.readUInt32LE(end + 12)
  const offset = tail.readUInt32LE(end + 16)
  if (count > zipLimits.entries) throw tooLargeZip()
  if (offset + length > tailFrom + end) throw damagedZip()
  const directory = Buffer.from(spool.read(offset, length))
  const entries = new Map<string, ZipEntry>()
  for (let at = 0, index = 0; index < count; index++) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x0201_4b50) throw damagedZip()
    const nameLength = directory.readUInt16LE(at + 28)
    const name = directory.toString('utf8', at + 46, at + 46 + nameLength)
    entries.set(name, {
      name,
      method: directory.readUInt16LE(at + 10),
      encrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
      crc: directory.readUInt32LE(at + 16),
      packed: directory.readUInt32LE(at + 20),
      offset: directory.readUInt32LE(at + 42),
    })
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return entries
}

/** The remaining unpacked size of an archive and its deadline (milliseconds of `now`). */
export type Allowance = { bytes: number; until: number; now: () => number }

function* packedBytes(
  spool: SpoolReader,
  { offset, packed }: ZipEntry,
): Generator<Buffer, void, void> {
  const head = spool.read(offset, 30)
  if (head.length < 30 || head.readUInt32LE(0) !== 0x0403_4b50) throw damagedZip()
  const begins = offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
  if (begins + packed > spool.size) throw damagedZip()
  for (let at = 0; at < packed; at += PIECE)
    yield Buffer.from(spool.read(begins + at, Math.min(PIECE, packed - at)))
}

async function* inflated(pieces: Iterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  const inflate = createInflateRaw({ chunkSize: PIECE })
  const feed = async (): Promise<void> => {
    for (const piece of pieces)
      if (!inflate.write(piece)) await new Promise((resolve) => inflate.once('drain', resolve))
    inflate.end()
  }
  const fed = feed().catch(
    (error: unknown) =>
      void inflate.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  try {
    for await (const chunk of inflate) yield chunk as Buffer
    await fed
  } catch (error) {
    throw error instanceof UnreadableFile ? error : damagedZip()
  } finally {
    inflate.destroy()
  }
}

/**
 * The content of an entry in pieces, at most what `allowance` permits. Throws UnreadableFile if it
 * is damaged, encrypted or too large.
 */
export async function* unpack(
  spool: SpoolReader,
  entry: ZipEntry,
  allowance: Allowance,
): AsyncGenerator<Buffer, void, void> {
  if (entry.encrypted)
    throw new UnreadableFile(
      fileProblem(
        'PASSWORD_NEEDED',
        'This workbook or archive is password-protected.',
        'Save it without a password and add that file.',
      ),
    )
  if (entry.method !== 0 && entry.method !== 8) throw damagedZip()
  const pieces = packedBytes(spool, entry)
  let out = 0
  let crc = 0
  for await (const chunk of entry.method === 8 ? inflated(pieces) : pieces) {
    out += chunk.length
    allowance.bytes -= chunk.length
    if (allowance.bytes < 0 || (out > zipLimits.harmless && out > entry.packed * zipLimits.ratio))
      throw tooLargeZip()
    if (allowance.now() > allowance.until)
      throw new UnreadableFile(
        fileProblem(
          'WORKBOOK_TOO_SLOW',
          'Reading this workbook took longer than a minute.',
          'Save the sheet as csv and add that file.',
        ),
      )
    crc = crc32(chunk, crc)
    yield chunk
  }
  if (crc !== entry.crc) throw damagedZip()
}
