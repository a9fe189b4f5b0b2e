import { rpc } from '../../lib/rpc.ts'

/** Bytes of a file that travel at once; the core's answer is the back pressure. */
const chunkBytes = 768 * 1024

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}

/** Files that this page hands over at present. */
const sending = new Set<string>()

/** Whether this page hands the file over. A page that was reloaded does not, and can't go on: the browser has forgotten the file. */
export const isSending = (fileId: string): boolean => sending.has(fileId)

/** Hands one file over to the core, chunk after chunk; it is checked there. `offerId`: the whole file goes to that offer. */
async function sendFile(importId: string, file: File, offerId: string | null): Promise<void> {
  const { fileId } = await rpc.imports.addFile({ importId, name: file.name, size: file.size, offerId })
  sending.add(fileId)
  try {
    await sendContent(importId, fileId, file)
  } finally {
    sending.delete(fileId)
  }
}

async function sendContent(importId: string, fileId: string, file: File): Promise<void> {
  let offset = 0
  const write = async (bytes: Uint8Array, last: boolean): Promise<void> => {
    await rpc.imports.writeFile({ importId, fileId, offset, base64: toBase64(bytes), last })
    offset += bytes.length
  }
  const pending: Uint8Array[] = []
  let size = 0
  for await (const part of file.stream()) {
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

/** Hands files over one after another. A file that can't be read rejects with what the browser says; those before it are kept. */
export async function sendFiles(importId: string, files: readonly File[], offerId: string | null): Promise<void> {
  for (const file of files) await sendFile(importId, file, offerId)
}

/** What was pasted, as a file of its own. */
export const pastedFile = (text: string): File => new File([text], 'Pasted lines.txt', { type: 'text/plain' })
