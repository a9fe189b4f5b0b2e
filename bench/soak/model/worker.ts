/** A process that checks the seeds it is sent, one after the other, until its parent lets go. */
import { checkSeed, type Limits } from './check.ts'

/** What the parent sends; it is answered by what came of it. */
export type Task = { seed: number; limits: Limits }

process.on('message', ({ seed, limits }: Task) => {
  void checkSeed(seed, limits).then((checked) => process.send?.(checked))
})
