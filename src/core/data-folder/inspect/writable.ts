import { accessSync, constants, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What SQLite needs at least to open a database with a write-ahead log. */
const REQUIRED_BYTES = 64 * 1024

/**
 * Throws the system's error when the folder can't be written or its disk is full, before anything
 * in it is opened.
 */
export function assertWritable(dataDir: string): void {
  accessSync(dataDir, constants.W_OK)
  const path = join(dataDir, 'room.tmp')
  try {
    writeFileSync(path, Buffer.alloc(REQUIRED_BYTES), { mode: 0o600 })
  } finally {
    rmSync(path, { force: true })
  }
}
