import type { CoreContext } from '../context.ts'

/** The part of the core's context that the price watch uses. */
export type PriceWatchContext = Pick<
  CoreContext,
  | 'host'
  | 'clock'
  | 'random'
  | 'changes'
  | 'accounts'
  | 'mirrors'
  | 'activity'
  | 'notices'
  | 'attention'
  | 'connection'
  | 'report'
>
