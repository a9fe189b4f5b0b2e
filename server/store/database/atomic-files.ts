import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes the names in a folder durable. Windows opens no folder, and keeps its names in a journal of
 * its own.
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
 * Writes a file, readable by its owner alone, that is either not there or whole and durable,
 * whenever the process or the machine dies: aside first, then by one renaming. What a death left
 * aside is written over. `written` is told before it has its name.
 */
export function writeFileAtomic(path: string, bytes: Uint8Array, written: () => void): void {
  const aside = `${path}.new`
  const file = openSync(aside, 'w', 0o600)
  try {
    writeSync(file, bytes)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  written()
  renameSync(aside, path)
  syncFolder(dirname(path))
}
