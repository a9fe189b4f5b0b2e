import { crc32 } from 'node:zlib'

/** One file of an archive; names are plain ASCII. */
export type ArchiveFile = { name: string; bytes: Buffer }

/** Date and time of a ZIP entry in UTC, accurate to two seconds (APPNOTE 4.4.6). */
function dosTime(at: number): { time: number; date: number } {
  const moment = new Date(at)
  return {
    time:
      (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1),
    date:
      (Math.max(0, moment.getUTCFullYear() - 1980) << 9) |
      ((moment.getUTCMonth() + 1) << 5) |
      moment.getUTCDate(),
  }
}

/**
 * A ZIP of uncompressed files: images are compressed already, and texts are short. At most 65,535
 * files and 4 GB.
 */
export function zipArchive(files: readonly ArchiveFile[], at: number): Buffer {
  const { time, date } = dosTime(at)
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes } of files) {
    const title = Buffer.from(name, 'ascii')
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(time, 6)
    facts.writeUInt16LE(date, 8)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(bytes.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(title.length, 22)
    parts.push(Buffer.from('PK\u0003\u0004', 'latin1'), facts, title, bytes)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(
      Buffer.from('PK\u0001\u0002', 'latin1'),
      Buffer.from([20, 0]),
      facts,
      place,
      title,
    )
    offset += 30 + title.length + bytes.length
  }
  const index = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(index.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, index, Buffer.from('PK\u0005\u0006', 'latin1'), end])
}
