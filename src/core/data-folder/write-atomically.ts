import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Replaces a file's content: after a power failure it is either the old or the new content, on the
 * disk.
 */
export function writeAtomically(path: string, content: string): void {
  const beside = `${path}.part`
  const file = openSync(beside, 'w', 0o600)
  try {
    writeSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(beside, path)
  if (process.platform !== 'win32') syncFolder(dirname(path))
}

/** Makes renames in a folder durable. Windows has no such call. */
function syncFolder(folder: string): void {
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
