import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Changes } from '../changes.ts'
import type { Clock } from '../clock.ts'
import { isDiskFull, DISK_CHECK_MS } from '../disk-full.ts'
import { createEmitter } from '../lifecycle/lifecycle.ts'

/** The free space at which work resumes, in bytes: a few pages for each file that is written. */
const REQUIRED_BYTES = 4 * 1024 * 1024

/**
 * Free space on the disk of the data folder. When there is none, work pauses and resumes
 * automatically; nothing is lost.
 */
export interface DiskSpace {
  isFull(): boolean
  /**
   * Whether this error means that the disk is full. If so, Keydesk starts to check for free space.
   */
  isCausedBy(error: unknown): boolean
  /** Called each time space is available again after the disk was full. */
  onSpaceFreed(task: () => void): void
  /**
   * A clock that runs a task again when there may be space, if the task fails because the disk is
   * full. Other errors are unaffected.
   */
  retryingClock(clock: Clock): Clock
}

/**
 * @param tryOut writes and removes as much as work needs, and throws when there isn't enough space
 */
export function createDiskSpace({
  clock,
  changes,
  tryOut: probe,
}: {
  clock: Clock
  changes: Changes
  tryOut: () => void
}): DiskSpace {
  const freed = createEmitter<[]>()
  let full = false

  function check(): void {
    try {
      probe()
    } catch (error) {
      if (isDiskFull(error)) return void clock.after(DISK_CHECK_MS, check)
    }
    full = false
    changes.notify('room')
    freed.emit()
  }
  function noteError(error: unknown): boolean {
    if (!isDiskFull(error)) return false
    if (!full) {
      full = true
      changes.notify('room')
      clock.after(DISK_CHECK_MS, check)
    }
    return true
  }
  const afterWithRetry = (given: Clock, ms: number, task: () => void): (() => void) => {
    let cancel = given.after(ms, () => {
      try {
        task()
      } catch (error) {
        if (!noteError(error)) throw error
        cancel = afterWithRetry(given, DISK_CHECK_MS, task)
      }
    })
    return () => cancel()
  }
  return {
    isFull: () => full,
    isCausedBy: noteError,
    onSpaceFreed: freed.listen,
    retryingClock: (given) => ({
      now: () => given.now(),
      monotonic: () => given.monotonic(),
      after: (ms, task) => afterWithRetry(given, ms, task),
    }),
  }
}

/** Checks whether a folder's disk has free space. Throws the system's error when it has none. */
export function folderProbe(folder: string): () => void {
  const path = join(folder, 'room.tmp')
  return () => {
    try {
      writeFileSync(path, Buffer.alloc(REQUIRED_BYTES), { mode: 0o600 })
    } finally {
      rmSync(path, { force: true })
    }
  }
}
