import { BACKUP_CHUNK } from '../../../../contract/app/backup.ts'
import { base64Of } from '../../../lib/base64.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { saveBlob } from '../../../lib/save-file.ts'

/**
 * Makes an encrypted backup and starts its download in the browser or window. Returns its name and
 * size in bytes.
 */
export async function saveBackup(
  passphrase: string,
  onProgress: (share: number) => void,
): Promise<{ fileName: string; bytes: number }> {
  const { backupId, fileName, bytes } = await rpc.backup.create({ passphrase })
  try {
    const parts: Blob[] = []
    for (let offset = 0; offset < bytes;) {
      const { base64 } = await rpc.backup.read({ backupId, offset })
      const part = Uint8Array.fromBase64(base64)
      if (part.length === 0) break
      // The browser can keep a blob on disk; a byte array would stay in the page's memory.
      parts.push(new Blob([part]))
      offset += part.length
      onProgress(offset / bytes)
    }
    saveBlob(fileName, new Blob(parts, { type: 'application/octet-stream' }))
    return { fileName, bytes }
  } finally {
    await rpc.backup.discard({ backupId })
  }
}

/**
 * Sends a backup to the core in parts. Awaiting each response limits the upload to the core's
 * speed.
 */
export async function uploadBackup(
  file: File,
  onProgress: (share: number) => void,
): Promise<string> {
  let restoreId: string | null = null
  for (let offset = 0; offset < file.size || restoreId === null; offset += BACKUP_CHUNK) {
    const answer: { restoreId: string } = await rpc.backup.upload({
      restoreId,
      offset,
      base64: await base64Of(file.slice(offset, offset + BACKUP_CHUNK)),
    })
    restoreId = answer.restoreId
    onProgress(Math.min(1, (offset + BACKUP_CHUNK) / Math.max(1, file.size)))
  }
  return restoreId
}
