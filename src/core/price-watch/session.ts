import type { createEarned } from './earned.ts'
import type { PriceEngine } from './keeper.ts'
import type { SendQueue } from './sending.ts'
import type { PollLoop } from './watcher.ts'

/** The running price watch of one account. */
export type WatchSession = {
  keeper: PriceEngine
  sending: SendQueue
  watcher: PollLoop | null
  ends: AbortSignal
  earned: ReturnType<typeof createEarned>
}
