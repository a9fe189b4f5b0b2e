import type { AccountScope } from '../lifecycle/lifecycle.ts'
import type { createEarned } from './reports/earnings.ts'
import type { PriceEngine } from './engine/price-engine.ts'
import type { SendQueue } from './sending/send-queue.ts'
import type { PriceWatchLoop } from './polling/poll-loop.ts'

/** The running price watch of one account. */
export type WatchSession = {
  /** The lifetime of the account's files. */
  files: AccountScope
  keeper: PriceEngine
  sending: SendQueue
  watcher: PriceWatchLoop | null
  /** Aborts when the account can't work anymore. */
  ends: AbortSignal
  earned: ReturnType<typeof createEarned>
}
