import type { Problem } from '../../../contract/base.ts'
import { problemOf } from '../../lib/problem.ts'
import { rpc } from '../../lib/rpc.ts'
import { folderOf } from './dropped-files.ts'

/**
 * Bytes of a file that travel at once, few enough that making a message of them doesn't hold up the
 * window; the core's answer is the back pressure.
 */
const chunkBytes = 256 * 1024
/** How long to wait for room on a full disk before the same bytes are offered again. */
const roomAgainMs = 3000

/** Files that this page hands over at present. */
const sending = new Set<string>()

/**
 * Whether this page hands the file over. A page that was reloaded does not, and can't go on: the
 * browser has forgotten the file.
 */
export const isSending = (fileId: string): boolean => sending.has(fileId)

/** What travels as one file: a file, or pictures of one folder, one after another. */
type Parcel = { name: string; parts: readonly File[]; isPictures: boolean }

const isPicture = (file: File): boolean => /^image\/(?:png|jpeg|gif|webp|svg)/.test(file.type)

/** Pictures of one folder travel together: each is one key, and nobody wants a row for each. */
function parcelsOf(files: readonly File[]): Parcel[] {
  const parcels: Parcel[] = []
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
 * Hands one file over to the core, chunk after chunk; it is checked there. `offerId`: the whole
 * file goes to that offer.
 */
async function sendParcel(
  importId: string,
  { name, parts, isPictures }: Parcel,
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
 * The browser could not read a file: it changed, is gone, or may not be opened. Browsers differ in
 * the error, and don't say which.
 */
class ReadingFailed extends Error {
  readonly bytesRead: number
  constructor(bytesRead: number, cause: unknown) {
    super('A file could not be read.', { cause })
    this.bytesRead = bytesRead
  }
}

/**
 * The bytes of files one after another. Throws {@link ReadingFailed}, also where a file has changed
 * since its first byte was read.
 */
async function* bytesOf(parts: readonly File[]): AsyncGenerator<Uint8Array> {
  let bytesRead = 0
  try {
    for (const file of parts) {
      for await (const part of file.stream()) {
        bytesRead += part.length
        yield part
      }
      // A browser compares a file with what was added whenever it opens it, not while it reads on.
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
        await new Promise((resolve) => setTimeout(resolve, roomAgainMs))
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
 * Hands files over one after another. What stands in the way of one is told, and the others go on.
 */
export async function sendFiles(
  importId: string,
  files: readonly File[],
  offerId: string | null,
  onProblem: (problem: Problem) => void,
): Promise<void> {
  for (const parcel of parcelsOf(files)) {
    try {
      await sendParcel(importId, parcel, offerId)
    } catch (error) {
      const problem = problemOf(error)
      // Left out by a person while it came in.
      if (problem.code !== 'NOT_FOUND') onProblem(problem)
    }
  }
}

/** What was pasted, as a file of its own. */
export const pastedFile = (text: string): File =>
  new File([text], 'Pasted lines.txt', { type: 'text/plain' })
