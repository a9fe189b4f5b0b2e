import { createHash } from 'node:crypto'
import {
  chmodSync,
  constants,
  createReadStream,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, syncFolder } from '../durable-files.ts'
import type { UpdateFile } from './manifest.ts'
import { UpdateRefused } from './refused.ts'

/** The folder for files of updates, in the data folder. */
const FOLDER = 'updates'
const windows = process.platform === 'win32'

/**
 * The private folder for files of updates. Throws {@link UpdateRefused} if a link or another user's
 * folder is in its place.
 */
function updatesFolder(dataDir: string): string {
  const folder = join(dataDir, FOLDER)
  makeFolder(folder)
  const { uid } = lstatSync(folder)
  if (!lstatSync(folder).isDirectory()) throw new UpdateRefused('unsafe-folder')
  if (!windows && uid !== process.getuid?.()) throw new UpdateRefused('unsafe-folder')
  if (!windows) chmodSync(folder, 0o700)
  return folder
}

/**
 * Whether a file is exactly the one in the manifest. A link to a file is not.
 *
 * @param path of the file
 */
export async function isUpdateFile(path: string, { bytes, sha512 }: UpdateFile): Promise<boolean> {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found?.isFile() !== true || found.size !== bytes || found.nlink !== 1) return false
  const hash = createHash('sha512')
  for await (const part of createReadStream(path)) hash.update(part as Buffer)
  return hash.digest('hex') === sha512
}

/**
 * Writes a file of an update under its final name only when its size and hash are those of the
 * manifest. Throws {@link UpdateRefused}; then nothing of it is left.
 *
 * @param fetch passes the bytes on
 */
export async function downloadFile(
  dataDir: string,
  file: UpdateFile,
  fetch: (take: (bytes: Buffer) => Promise<void>) => Promise<void>,
): Promise<string> {
  const folder = updatesFolder(dataDir)
  const path = join(folder, file.name)
  const part = `${path}.part`
  // Files of earlier downloads, or put there by another program.
  for (const name of readdirSync(folder))
    rmSync(join(folder, name), { recursive: true, force: true })
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const handle = await open(part, windows ? 'wx' : flags, 0o600)
  try {
    const hash = createHash('sha512')
    let size = 0
    await fetch(async (bytes) => {
      hash.update(bytes)
      size += bytes.length
      await handle.writeFile(bytes)
    })
    await handle.sync()
    if (size !== file.bytes) throw new UpdateRefused('wrong-size')
    if (hash.digest('hex') !== file.sha512) throw new UpdateRefused('wrong-file')
  } catch (error) {
    await handle.close()
    rmSync(part, { force: true })
    throw error
  }
  await handle.close()
  renameSync(part, path)
  syncFolder(folder)
  return path
}
