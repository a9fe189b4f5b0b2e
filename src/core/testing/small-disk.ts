import { execFileSync, spawnSync } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { temporaryFolder } from './context.ts'

export interface SmallDisk {
  path: string
  /** Free space, in bytes. */
  free(): number
  /** From now on, the disk can't be written. */
  makeReadOnly(): void
  remove(): void
}

/** Whether this process may mount a disk: Linux, as an administrator. */
export const canMountDisk =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('mount', ['--version']).status === 0

/** Mounts an empty disk of this size on a temporary folder. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const { path, remove } = temporaryFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path])
  return {
    path,
    free() {
      const { bavail, bsize } = statfsSync(path)
      return bavail * bsize
    },
    makeReadOnly: () => void execFileSync('mount', ['-o', 'remount,ro', path]),
    remove() {
      // Lazily: on a busy computer, another program can be looking at the mounted disks.
      execFileSync('umount', ['--lazy', path])
      remove()
    },
  }
}
