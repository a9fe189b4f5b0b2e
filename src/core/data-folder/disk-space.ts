import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Changes } from '../changes.ts'
import type { Clock } from '../clock.ts'
import { isDiskFull, LOOK_FOR_ROOM_MS } from '../disk-full.ts'

/** So much room lets work go on, in bytes: a few pages of each file that is written. */
const ROOM_BYTES = 4 * 1024 * 1024

/**
 * Room on the disk of the data folder. Where there is none, nothing is lost but waits, and goes on
 * by itself when there is.
 */
export interface DiskSpace {
  isFull(): boolean
  /**
   * Whether this error says that the disk is full; from then on it is looked whether there is room
   * again.
   */
  isCausedBy(error: unknown): boolean
  /** Called each time there is room again, after it was full. */
  onRoom(task: () => void): void
  /**
   * A clock whose tasks may meet a full disk: they are run again when there may be room. Other
   * errors stay what they are.
   */
  patient(clock: Clock): Clock
}

/** `tryOut` writes and removes as much as work needs, and throws where there is no room. */
export function createDiskSpace({
  clock,
  changes,
  tryOut,
}: {
  clock: Clock
  changes: Changes
  tryOut: () => void
}): DiskSpace {
  const tasks: (() => void)[] = []
  let full = false

  function look(): void {
    try {
      tryOut()
    } catch (error) {
      if (isDiskFull(error)) return void clock.after(LOOK_FOR_ROOM_MS, look)
    }
    full = false
    changes.notify('room')
    for (const task of tasks) task()
  }
  function noted(error: unknown): boolean {
    if (!isDiskFull(error)) return false
    if (!full) {
      full = true
      changes.notify('room')
      clock.after(LOOK_FOR_ROOM_MS, look)
    }
    return true
  }
  const patiently = (given: Clock, ms: number, task: () => void): (() => void) => {
    let cancel = given.after(ms, () => {
      try {
        task()
      } catch (error) {
        if (!noted(error)) throw error
        cancel = patiently(given, LOOK_FOR_ROOM_MS, task)
      }
    })
    return () => cancel()
  }
  return {
    isFull: () => full,
    isCausedBy: noted,
    onRoom: (task) => void tasks.push(task),
    patient: (given) => ({
      now: () => given.now(),
      after: (ms, task) => patiently(given, ms, task),
    }),
  }
}

/** Tries out whether a folder's disk has room. Throws the system's error where it has none. */
export function tryFolder(folder: string): () => void {
  const path = join(folder, 'room.tmp')
  return () => {
    try {
      writeFileSync(path, Buffer.alloc(ROOM_BYTES), { mode: 0o600 })
    } finally {
      rmSync(path, { force: true })
    }
  }
}
