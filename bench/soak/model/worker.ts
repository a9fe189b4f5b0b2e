/**
 * A process that checks the seeds that it receives, one after the other, until its parent
 * disconnects.
 */
import { checkSeed, type Limits } from './check.ts'

/** The parent's message; the result is sent back. */
export type Task = { seed: number; limits: Limits }

process.on('message', ({ seed, limits }: Task) => {
  void checkSeed(seed, limits).then((checked) => process.send?.(checked))
})
