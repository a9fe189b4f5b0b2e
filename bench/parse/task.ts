import type { KeyCheckTask } from '../../src/core/key-import/check/key-check-task.ts'

/** The keys of the benchmark's spool and its fingerprints. */
export const secrets = {
  seal: Buffer.alloc(32, 1),
  fingerprint: Buffer.alloc(32, 2),
} satisfies Partial<KeyCheckTask>

/** The task as the measuring process reads it from a file, without its keys. */
export type WrittenTask = Omit<KeyCheckTask, keyof typeof secrets>
