import { crc32, deflateRawSync } from 'node:zlib'

export type ZipEntry = { name: string; bytes: Buffer }

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
/** 2.0, the first version with folders and deflate. */
const VERSION = 20
const UTF8_NAMES = 0x0800
const DEFLATE = 8

/** A zip file of these files, compressed. All of them carry the same time, in UTC. */
export function zipOf(entries: readonly ZipEntry[], now: number): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes } of entries) {
    const path = Buffer.from(name, 'utf8')
    const packed = deflateRawSync(bytes)
    const common = commonFields(now, bytes, packed, path)
    const local = Buffer.concat([number32(LOCAL), common, path])
    directory.push(
      Buffer.concat([
        number32(CENTRAL),
        number16(VERSION),
        common,
        // No comment, first disk, no attributes.
        Buffer.alloc(10),
        number32(offset),
        path,
      ]),
    )
    parts.push(local, packed)
    offset += local.length + packed.length
  }
  const list = Buffer.concat(directory)
  return Buffer.concat([
    ...parts,
    list,
    number32(END),
    Buffer.alloc(4),
    number16(entries.length),
    number16(entries.length),
    number32(list.length),
    number32(offset),
    Buffer.alloc(2),
  ])
}

/** The fields that an entry's own header and the directory share, from the version on. */
function commonFields(now: number, bytes: Buffer, packed: Buffer, path: Buffer): Buffer {
  const at = new Date(now)
  return Buffer.concat([
    number16(VERSION),
    number16(UTF8_NAMES),
    number16(DEFLATE),
    number16(
      (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | Math.floor(at.getUTCSeconds() / 2),
    ),
    number16(((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()),
    number32(crc32(bytes)),
    number32(packed.length),
    number32(bytes.length),
    number16(path.length),
    // No extra field.
    number16(0),
  ])
}

function number16(value: number): Buffer {
  const buffer = Buffer.alloc(2)
  buffer.writeUInt16LE(value)
  return buffer
}
function number32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(value >>> 0)
  return buffer
}
