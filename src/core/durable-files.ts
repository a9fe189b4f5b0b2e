import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

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
  syncFolder(dirname(path))
}

/** Flushes a file to disk, so that its content survives a power failure. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Some file systems can't sync a folder, such as those of a network. */
const unsupported = new Set(['EINVAL', 'ENOTSUP', 'ENOSYS', 'EACCES', 'EPERM', 'EBADF', 'EISDIR'])

/**
 * Makes new, changed and removed names in a folder survive a power failure. Syncing a file doesn't
 * include its name. Windows can't open a folder and journals its names itself.
 */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  try {
    const file = openSync(folder, 'r')
    try {
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (!unsupported.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/**
 * Creates a folder, and its parents, readable only by their owner; they survive a power failure.
 * Does nothing if it exists.
 */
export function makeFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 })
  if (first === undefined || process.platform === 'win32') return
  for (let made = resolve(path); ; made = dirname(made)) {
    syncFolder(dirname(made))
    if (made.length <= resolve(first).length) return
  }
}
