import type { createEarned } from './earned.ts'
import type { Keeper } from './keeper.ts'
import type { Sending } from './sending.ts'
import type { Watcher } from './watcher.ts'

/** The running price watch of one account. */
export type WatchSession = {
  keeper: Keeper
  sending: Sending
  watcher: Watcher | null
  ends: AbortSignal
  earned: ReturnType<typeof createEarned>
}
