import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from '../../durable-files.ts'
import { Failure } from '../../failure.ts'
import type { Reencrypt } from '../../context.ts'
import { frameRecord, scanFrames } from './frames.ts'
import type { Frame } from './frames.ts'
import { spoolRecord } from './spool-files.ts'

const ANEW = '.resealed'

/**
 * Seals every frame of an account's spool again, file by file. The new file replaces the old one
 * once it is complete on disk, so that a kill or a power loss leaves one or the other. Frames keep
 * their positions and lengths; erased frames stay erased. Frames that no key can open stay unchanged
 * and are counted.
 */
export function reencryptSpool(
  dataDir: string,
  accountId: string,
  reseal: Reencrypt,
): { values: number; unreadable: number } {
  const spool = join(dataDir, 'spool', accountId)
  const sum = { values: 0, unreadable: 0 }
  for (const importId of existsSync(spool) ? readdirSync(spool) : []) {
    for (const name of readdirSync(join(spool, importId))) {
      const path = join(spool, importId, name)
      if (name.endsWith(ANEW)) rmSync(path, { force: true })
      else if (!/\.fates(?:\.new)?$/.test(name))
        resealFile(
          path,
          (index, sealed) =>
            reseal(accountId, frameRecord(spoolRecord(importId, name), index), sealed),
          sum,
        )
    }
    // The old key is deleted next, and a file that returned after a power loss would need it.
    syncFolder(join(spool, importId))
  }
  return sum
}

function resealFile(
  path: string,
  reseal: (index: number, sealed: Buffer) => Buffer | null,
  sum: { values: number; unreadable: number },
): void {
  const file = openSync(path, 'r')
  const target = openSync(path + ANEW, 'w', 0o600)
  let changed = 0
  try {
    for (const frame of scanFrames(file).frames) {
      const whole = Buffer.allocUnsafe(frame.length)
      readSync(file, whole, 0, whole.length, frame.offset)
      if (resealFrame(whole, frame, reseal, sum)) changed += 1
      for (let written = 0; written < whole.length;)
        written += writeSync(target, whole, written, whole.length - written)
    }
    fsyncSync(target)
  } finally {
    closeSync(file)
    closeSync(target)
  }
  sum.values += changed
  if (changed > 0) renameSync(path + ANEW, path)
  else rmSync(path + ANEW, { force: true })
}

/** Seals one frame again in place. Returns false if there is nothing to do. */
function resealFrame(
  whole: Buffer,
  frame: Frame,
  reseal: (index: number, sealed: Buffer) => Buffer | null,
  sum: { unreadable: number },
): boolean {
  const sealed = whole.subarray(4)
  if (sealed.every((byte) => byte === 0)) return false
  try {
    const anew = reseal(frame.index, sealed)
    anew?.copy(whole, 4)
    return anew !== null
  } catch (error) {
    if (!(error instanceof Failure) || error.problem.code !== 'VAULT_DAMAGED') throw error
    sum.unreadable += 1
    return false
  }
}
