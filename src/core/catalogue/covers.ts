import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { later, longAgo, msUntil } from '../clock.ts'
import type { Clock, Monotonic } from '../clock.ts'

export type Picture = { contentType: string; bytes: Buffer }

export interface Covers {
  /**
   * The picture at an address: from the cache, otherwise from `fetch`, which runs once for all
   * waiting callers. Null if it isn't available now.
   */
  get(url: string, fetch: (url: string) => Promise<Picture | null>): Promise<Picture | null>
}

/**
 * Covers are public, so they are stored as plain files: 256 MiB in total, least recently used
 * deleted first.
 */
const MAX_BYTES = 256 * 1024 * 1024
/** Milliseconds to leave an address alone after it returned no picture. */
const RETRY_MS = 10 * 60_000

const KINDS = [
  {
    contentType: 'image/png',
    begins: (bytes: Buffer) =>
      bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  },
  {
    contentType: 'image/jpeg',
    begins: (bytes: Buffer) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  },
  {
    contentType: 'image/gif',
    begins: (bytes: Buffer) => bytes.subarray(0, 4).toString('latin1') === 'GIF8',
  },
  {
    contentType: 'image/webp',
    begins: (bytes: Buffer) =>
      bytes.subarray(0, 4).toString('latin1') === 'RIFF' &&
      bytes.subarray(8, 12).toString('latin1') === 'WEBP',
  },
] as const

const kindOf = (bytes: Buffer): string | null =>
  KINDS.find((kind) => kind.begins(bytes))?.contentType ?? null

/** The cache of cover pictures in `folder`, one file per address under a hashed name. */
export function createCovers(folder: string, clock: Clock, mostBytes = MAX_BYTES): Covers {
  const waiting = new Map<string, Promise<Picture | null>>()
  const missing = new Map<string, Monotonic>()
  let written = 0
  let size: number | null = null

  async function kept(file: string): Promise<Picture | null> {
    try {
      const bytes = await readFile(file)
      const contentType = kindOf(bytes)
      if (contentType === null) return null
      const now = new Date(clock.now())
      await utimes(file, now, now)
      return { contentType, bytes }
    } catch {
      return null
    }
  }

  async function keep(file: string, bytes: Buffer): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const half = `${file}.${(written += 1)}.part`
    await writeFile(half, bytes, { mode: 0o600 })
    await rename(half, file)
    size = (size ?? (await sizeOf(folder))) + bytes.length
    if (size > mostBytes) size = await shrink(folder, mostBytes * 0.8)
  }

  async function obtain(
    url: string,
    fetch: (url: string) => Promise<Picture | null>,
  ): Promise<Picture | null> {
    const file = path.join(folder, createHash('sha256').update(url).digest('hex'))
    const known = await kept(file)
    if (known !== null) return known
    if (msUntil(clock, missing.get(url) ?? longAgo) > 0) return null
    const picture = await fetch(url)
    if (picture === null || kindOf(picture.bytes) === null) {
      missing.set(url, later(clock.monotonic(), RETRY_MS))
      return null
    }
    missing.delete(url)
    // If the disk is full, the picture isn't cached, but it is still returned.
    await keep(file, picture.bytes).catch(() => {})
    return picture
  }

  return {
    get(url, fetch) {
      const running = waiting.get(url) ?? obtain(url, fetch).finally(() => waiting.delete(url))
      waiting.set(url, running)
      return running
    },
  }
}

async function filesOf(folder: string): Promise<{ file: string; bytes: number; usedAt: number }[]> {
  const names = await readdir(folder)
  return Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name)
      const { size, mtimeMs } = await stat(file)
      return { file, bytes: size, usedAt: mtimeMs }
    }),
  )
}

const sizeOf = async (folder: string): Promise<number> =>
  (await filesOf(folder)).reduce((sum, { bytes }) => sum + bytes, 0)

async function shrink(folder: string, target: number): Promise<number> {
  const files = (await filesOf(folder)).sort((a, b) => a.usedAt - b.usedAt)
  let size = files.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const { file, bytes } of files) {
    if (size <= target) break
    await rm(file, { force: true })
    size -= bytes
  }
  return size
}
