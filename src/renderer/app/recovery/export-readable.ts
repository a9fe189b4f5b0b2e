import { rpc } from '../../lib/core/rpc.ts'
import { saveBlob } from '../../lib/save-file.ts'

/** Exports every readable record and starts the download of the zip file. */
export async function exportReadable(): Promise<{ fileName: string; unreadable: string[] }> {
  const { fileName, bytes, unreadable } = await rpc.recovery.exportReadable()
  const parts: Blob[] = []
  for (let offset = 0; offset < bytes;) {
    const part = Uint8Array.fromBase64((await rpc.recovery.readExport({ offset })).base64)
    if (part.length === 0) break
    parts.push(new Blob([part]))
    offset += part.length
  }
  saveBlob(fileName, new Blob(parts, { type: 'application/zip' }))
  return { fileName, unreadable }
}
