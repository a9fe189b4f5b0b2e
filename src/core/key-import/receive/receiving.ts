import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { readFile, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../../durable-files.ts'
import { failure } from '../../failure.ts'
import { openFrames, readFrame, valueLength } from '../spool/frames.ts'
import type { Frame, FrameKey, FrameWriter, Write } from '../spool/frames.ts'

/** Maximum bytes of one chunk. */
export const MOST_CHUNK_BYTES = 1024 * 1024

type Receiving = FrameWriter & { frames: Frame[]; received: number }

/**
 * Receives the bytes of files and seals each chunk into the spool. The received length is read from
 * the spool itself, so that a kill between two chunks neither loses nor repeats bytes.
 */
export function createReceiving(disk: Write = writeSync) {
  const open = new Map<string, Receiving>()

  function take(fileId: string, path: string, key: FrameKey): Receiving {
    const known = open.get(fileId)
    if (known !== undefined) return known
    makeFolder(dirname(path))
    const writer = openFrames(path, key, false, disk)
    const receiving = {
      ...writer,
      received: writer.frames.reduce((sum, frame) => sum + valueLength(frame), 0),
    }
    open.set(fileId, receiving)
    return receiving
  }
  function lastChunk(path: string, key: FrameKey, frame: Frame): Buffer {
    const file = openSync(path, 'r')
    try {
      return readFrame(file, key, frame)
    } finally {
      closeSync(file)
    }
  }

  return {
    /**
     * Adds a chunk. Repeating the last chunk (because its response was lost) changes nothing.
     *
     * @returns bytes received so far
     */
    write(fileId: string, path: string, key: FrameKey, offset: number, bytes: Buffer): number {
      const receiving = take(fileId, path, key)
      if (offset === receiving.received) {
        if (bytes.length > 0) receiving.append(bytes)
        receiving.received += bytes.length
        return receiving.received
      }
      const last = receiving.frames.at(-1)
      const again =
        last !== undefined &&
        offset === receiving.received - valueLength(last) &&
        lastChunk(path, key, last).equals(bytes)
      if (!again) {
        throw failure(
          'WRONG_OFFSET',
          `Received bytes from ${offset}, but expected bytes from ${receiving.received}.`,
          `Continue the file at byte ${receiving.received}.`,
          { effect: 'The bytes were discarded.', details: { received: receiving.received } },
        )
      }
      return receiving.received
    },
    /** Flushes the complete file to disk so that it survives a power loss. */
    finish(fileId: string): void {
      open.get(fileId)?.finish()
      open.delete(fileId)
    },
    /** Bytes received of an open file; null if the file isn't open. */
    received: (fileId: string): number | null => open.get(fileId)?.received ?? null,
    close(fileId: string): void {
      open.get(fileId)?.close()
      open.delete(fileId)
    },
  }
}

/** Deletes files of an import; ignores missing ones. */
export async function removeFiles(paths: readonly string[]): Promise<void> {
  await Promise.all(
    paths.map((path) =>
      unlink(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      }),
    ),
  )
}

export const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true })

/** One byte per line, as written by the classification. */
export const readOutcomes = (path: string): Promise<Buffer> => readFile(path)
