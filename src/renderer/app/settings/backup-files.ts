import { BACKUP_CHUNK } from '../../../contract/backup.ts'
import { base64Of } from '../../lib/base64.ts'
import { rpc } from '../../lib/rpc.ts'
import { saveBlob } from '../../lib/save-file.ts'

/**
 * Makes a backup under a passphrase and hands it to the browser's or window's download. Gives its
 * name and bytes.
 */
export async function saveBackup(
  passphrase: string,
  onProgress: (share: number) => void,
): Promise<{ fileName: string; bytes: number }> {
  const { backupId, fileName, bytes } = await rpc.backup.make({ passphrase })
  try {
    const parts: Blob[] = []
    for (let offset = 0; offset < bytes;) {
      const { base64 } = await rpc.backup.read({ backupId, offset })
      const part = Uint8Array.fromBase64(base64)
      if (part.length === 0) break
      // A blob may lie on the disk; an array of bytes would stay in the page's memory.
      parts.push(new Blob([part]))
      offset += part.length
      onProgress(offset / bytes)
    }
    saveBlob(fileName, new Blob(parts, { type: 'application/octet-stream' }))
    return { fileName, bytes }
  } finally {
    await rpc.backup.drop({ backupId })
  }
}

/** Hands a backup over to the core, part by part; the answer is the back pressure. */
export async function sendBackup(file: File, onProgress: (share: number) => void): Promise<string> {
  let restoreId: string | null = null
  for (let offset = 0; offset < file.size || restoreId === null; offset += BACKUP_CHUNK) {
    const answer: { restoreId: string } = await rpc.backup.receive({
      restoreId,
      offset,
      base64: await base64Of(file.slice(offset, offset + BACKUP_CHUNK)),
    })
    restoreId = answer.restoreId
    onProgress(Math.min(1, (offset + BACKUP_CHUNK) / Math.max(1, file.size)))
  }
  return restoreId
}
