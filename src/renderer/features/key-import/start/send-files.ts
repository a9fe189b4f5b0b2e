import type { Problem } from '../../../../contract/base.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { folderOf } from './dropped-files.ts'

/**
 * Bytes per chunk of a file, few enough that encoding them doesn't block the window. The core's
 * response is the back pressure.
 */
const chunkBytes = 256 * 1024
/** Delay before sending the same bytes again when the disk is full. */
const diskFullRetryMs = 3000

/** Files that this page is sending. */
const sending = new Set<string>()

/**
 * Whether this page is sending the file. After a reload it can't continue, because the browser no
 * longer has access to the file.
 */
export const isSending = (fileId: string): boolean => sending.has(fileId)

/** One transfer: a single file, or the pictures of one folder one after another. */
type Transfer = { name: string; parts: readonly File[]; isPictures: boolean }

const isPicture = (file: File): boolean => /^image\/(?:png|jpeg|gif|webp|svg)/.test(file.type)

/**
 * Pictures of one folder are sent together, so that the file list doesn't get a row per picture.
 */
function transfersOf(files: readonly File[]): Transfer[] {
  const parcels: Transfer[] = []
  const pictures = new Map<string, File[]>()
  for (const file of files) {
    if (!isPicture(file)) {
      parcels.push({ name: file.name, parts: [file], isPictures: false })
      continue
    }
    const folder = folderOf(file)
    const together = pictures.get(folder)
    if (together === undefined) pictures.set(folder, [file])
    else together.push(file)
  }
  for (const [folder, parts] of pictures) {
    const [first, ...more] = parts
    if (first !== undefined)
      parcels.push({
        name: more.length === 0 ? first.name : (folder.split('/').at(-1) ?? ''),
        parts,
        isPictures: true,
      })
  }
  return parcels.map((parcel) => ({
    ...parcel,
    name: parcel.name === '' ? `${parcel.parts.length} pictures` : parcel.name,
  }))
}

/**
 * Sends one file to the core in chunks, where it is checked. `offerId` assigns all its lines to
 * that offer.
 */
async function sendTransfer(
  importId: string,
  { name, parts, isPictures }: Transfer,
  offerId: string | null,
): Promise<void> {
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  const { fileId } = await rpc.imports.addFile({
    importId,
    name,
    size,
    offerId,
    ...(isPictures && { pictures: parts.map((part) => ({ name: part.name, size: part.size })) }),
  })
  sending.add(fileId)
  try {
    await sendContent(importId, fileId, parts)
  } catch (error) {
    if (!(error instanceof ReadingFailed)) throw error
    await rpc.imports.failFile({
      importId,
      fileId,
      reason: error.bytesRead > 0 ? 'changed' : 'unreadable',
    })
  } finally {
    sending.delete(fileId)
  }
}

/**
 * The browser couldn't read a file because it changed, was deleted or isn't readable. Browsers use
 * different errors and don't report which.
 */
class ReadingFailed extends Error {
  readonly bytesRead: number
  constructor(bytesRead: number, cause: unknown) {
    super('A file could not be read.', { cause })
    this.bytesRead = bytesRead
  }
}

/**
 * The bytes of several files, one after another. Throws {@link ReadingFailed}, also if a file
 * changed after its first byte was read.
 */
async function* bytesOf(parts: readonly File[]): AsyncGenerator<Uint8Array> {
  let bytesRead = 0
  try {
    for (const file of parts) {
      for await (const part of file.stream()) {
        bytesRead += part.length
        yield part
      }
      // A browser detects changes only when it opens a file, not while it reads on.
      await file.slice(0, 1).arrayBuffer()
    }
  } catch (error) {
    throw new ReadingFailed(bytesRead, error)
  }
}

async function sendContent(
  importId: string,
  fileId: string,
  parts: readonly File[],
): Promise<void> {
  let offset = 0
  const write = async (bytes: Uint8Array, last: boolean): Promise<void> => {
    const base64 = bytes.toBase64()
    for (;;) {
      try {
        await rpc.imports.writeFile({ importId, fileId, offset, base64, last })
        break
      } catch (error) {
        if (problemOf(error).code !== 'DISK_FULL') throw error
        await new Promise((resolve) => setTimeout(resolve, diskFullRetryMs))
      }
    }
    offset += bytes.length
  }
  const pending: Uint8Array[] = []
  let size = 0
  for await (const part of bytesOf(parts)) {
    for (let at = 0; at < part.length; at += chunkBytes) {
      const piece = part.subarray(at, at + chunkBytes)
      if (size + piece.length > chunkBytes) {
        await write(joined(pending), false)
        pending.length = 0
        size = 0
      }
      pending.push(piece)
      size += piece.length
    }
  }
  await write(joined(pending), true)
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/**
 * Sends files one after another. A problem with one file is reported, and the others are still
 * sent.
 */
export async function sendFiles(
  importId: string,
  files: readonly File[],
  offerId: string | null,
  onProblem: (problem: Problem, name: string) => void,
): Promise<void> {
  for (const parcel of transfersOf(files)) {
    try {
      await sendTransfer(importId, parcel, offerId)
    } catch (error) {
      const problem = problemOf(error)
      // The user removed the file during the transfer.
      if (problem.code !== 'NOT_FOUND') onProblem(problem, parcel.name)
    }
  }
}

/** Pasted text as a file. */
export const pastedFile = (text: string): File =>
  new File([text], 'Pasted lines.txt', { type: 'text/plain' })
