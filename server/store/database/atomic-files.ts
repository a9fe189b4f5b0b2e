import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  openSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes the names in a folder durable. Windows can't open a folder and journals its names itself.
 */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * Writes a file, readable only by its owner, so that a crash of the process or computer leaves
 * either no file or the complete one. It writes a temporary file first and then renames it; a
 * leftover temporary file is overwritten. `beforeRename` is called before the rename.
 */
export function writeFileAtomic(path: string, bytes: Uint8Array, beforeRename: () => void): void {
  const temporary = `${path}.new`
  const file = openSync(temporary, 'w', 0o600)
  try {
    writeSync(file, bytes)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  beforeRename()
  renameSync(temporary, path)
  syncFolder(dirname(path))
}

/**
 * Copies a file for its owner only, so that a crash leaves either no copy or the complete one. File
 * systems that can share the contents of files do.
 */
export function copyFileAtomic(from: string, to: string): void {
  const temporary = `${to}.new`
  copyFileSync(from, temporary, constants.COPYFILE_FICLONE)
  chmodSync(temporary, 0o600)
  const file = openSync(temporary, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, to)
  syncFolder(dirname(to))
}
