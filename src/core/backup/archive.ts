import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  openSync,
  closeSync,
  rmSync,
  statSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join, normalize, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import SqliteDatabase from 'better-sqlite3'
import { z } from 'zod'
import { isDiskFull } from '../disk-full.ts'
import { Failure, failure } from '../failure.ts'
import type { Randomness } from '../randomness.ts'
import { deriveFrom } from '../vault/vault.ts'
import type { ScryptCost } from '../vault/vault.ts'
import { dataFiles, isDatabase } from './folder.ts'
import {
  cutOff,
  isKeyOf,
  modified,
  readHeader,
  writeHeader,
  wrongOrModified,
  wrongPassphrase,
} from './header.ts'
import { SealedStreamError, decryptStream, encryptStream } from './sealed-stream.ts'

const entrySchema = z.object({ path: z.string().min(1).max(500), bytes: z.number().int().min(0) })
const LENGTH = 4

export type BackupHeader = { madeAt: number; version: string }

/**
 * Writes every file of the data folder into one file: a line of JSON (format, version, time, the
 * scrypt salt, and checks of the key and of the line), followed by the encrypted frames of a gzip
 * stream with each file's entry (`length(4) {path, bytes}`) and content. Databases in use are copied
 * one at a time with SQLite's backup function, each as of one moment.
 */
export async function writeArchive({
  dataDir,
  target,
  passphrase,
  version,
  now,
  random,
  cost,
}: {
  dataDir: string
  target: string
  passphrase: string
  version: string
  now: number
  random: Randomness
  cost: ScryptCost
}): Promise<{ files: number }> {
  const salt = random.bytes(16)
  const key = await deriveFrom(passphrase, salt, cost)
  const head = writeHeader({ madeAt: now, version }, { key, salt, cost })
  const file = createWriteStream(target, { mode: 0o600, flags: 'wx' })
  let files = 0
  async function* contents(): AsyncGenerator<Buffer> {
    for (const path of dataFiles(dataDir)) {
      const source = join(dataDir, path)
      const copy = isDatabase(path) ? `${target}.copy` : null
      try {
        if (copy !== null) await copyDatabase(source, copy)
        // Skip a file that was deleted in between (the spool of a completed upload).
        const size = statSync(copy ?? source, { throwIfNoEntry: false })?.size
        if (size === undefined) continue
        yield entryOf(path, size)
        let left = size
        for await (const chunk of createReadStream(
          copy ?? source,
          size === 0 ? {} : { end: size - 1 },
        ) as AsyncIterable<Buffer>) {
          left -= chunk.length
          yield chunk
        }
        if (left !== 0)
          throw failure(
            'CONFLICT',
            'A file changed while it was being copied.',
            'Create the backup again.',
            { effect: 'No backup was created.' },
          )
        files += 1
      } finally {
        if (copy !== null) rmSync(copy, { force: true })
      }
    }
  }
  try {
    file.write(`${head}\n`)
    await pipeline(
      Readable.from(contents()),
      createGzip({ level: 3 }),
      encryptStream(key, head),
      file,
    )
    return { files }
  } catch (error) {
    rmSync(target, { force: true })
    throw error
  } finally {
    key.fill(0)
  }
}

async function copyDatabase(source: string, copy: string): Promise<void> {
  rmSync(copy, { force: true })
  closeSync(openSync(copy, 'w', 0o600))
  const database = new SqliteDatabase(source, { readonly: true, fileMustExist: true })
  try {
    await database.backup(copy)
  } finally {
    database.close()
  }
}

function entryOf(path: string, bytes: number): Buffer {
  const entry = Buffer.from(JSON.stringify({ path, bytes }))
  const length = Buffer.alloc(LENGTH)
  length.writeUInt32BE(entry.length)
  return Buffer.concat([length, entry])
}

/**
 * Unpacks a backup into an empty folder. Throws Failure `INVALID_INPUT` for a file of another kind,
 * `WRONG_PASSPHRASE`, `BACKUP_CUT_OFF`, or `BACKUP_DAMAGED` for a file that was modified.
 */
export async function readArchive(
  source: string,
  into: string,
  passphrase: string,
): Promise<BackupHeader & { files: number; bytes: number }> {
  const { line, head } = readHeader(source)
  const key = await deriveFrom(passphrase, Buffer.from(head.kdf.salt, 'base64'), head.kdf)
  const isKey = isKeyOf(head, key)
  const unpacked = unpackInto(into)
  try {
    if (isKey === false) throw wrongPassphrase()
    await pipeline(
      createReadStream(source, { start: Buffer.byteLength(line) + 1 }),
      decryptStream(key, line),
      createGunzip(),
      unpacked.write,
    )
  } catch (error) {
    if (isDiskFull(error)) throw noSpace()
    throw readFailure(error, isKey)
  } finally {
    key.fill(0)
  }
  return { madeAt: head.madeAt, version: head.keydesk, ...unpacked.sums() }
}

export const noSpace = (): Failure =>
  failure(
    'DISK_FULL',
    'There isn’t enough disk space to unpack the backup.',
    'Free up space on this disk, then try again.',
    { effect: 'Nothing was replaced.' },
  )

/** @param isKey whether the key is known to be right; null if the backup doesn't say */
function readFailure(error: unknown, isKey: boolean | null): Failure {
  if (error instanceof Failure) return error
  if (!(error instanceof SealedStreamError)) return modified()
  switch (error.kind) {
    case 'cut-off':
      return cutOff()
    case 'modified':
      return modified()
    case 'unopened':
      return isKey === null ? wrongOrModified() : modified()
  }
}

/** Writes the files of an unpacked stream inside a folder, and nowhere else. */
function unpackInto(into: string): {
  write: (stream: AsyncIterable<Buffer>) => Promise<void>
  sums: () => { files: number; bytes: number }
} {
  let waiting: Buffer = Buffer.alloc(0)
  let file: { handle: FileHandle; left: number } | null = null
  const sums = { files: 0, bytes: 0 }
  async function begin(): Promise<typeof file> {
    if (waiting.length < LENGTH || waiting.length < LENGTH + waiting.readUInt32BE(0)) return null
    const length = waiting.readUInt32BE(0)
    const { path, bytes } = entrySchema.parse(
      JSON.parse(waiting.subarray(LENGTH, LENGTH + length).toString('utf8')),
    )
    waiting = waiting.subarray(LENGTH + length)
    const target = normalize(join(into, path))
    if (!target.startsWith(into + sep) || path.includes('\0') || path.includes('\\'))
      throw new Error('path outside the folder')
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    sums.files += 1
    sums.bytes += bytes
    return { handle: await open(target, 'wx', 0o600), left: bytes }
  }
  async function take(): Promise<void> {
    for (;;) {
      file ??= await begin()
      if (file === null) return
      const piece = waiting.subarray(0, file.left)
      if (piece.length > 0) await file.handle.write(piece)
      waiting = waiting.subarray(piece.length)
      file.left -= piece.length
      if (file.left > 0) return
      await file.handle.sync()
      await file.handle.close()
      file = null
    }
  }
  return {
    sums: () => sums,
    async write(stream) {
      try {
        for await (const chunk of stream) {
          waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk])
          await take()
        }
        if (file !== null || waiting.length > 0) throw new Error('cut off')
      } finally {
        await file?.handle.close()
      }
    },
  }
}
