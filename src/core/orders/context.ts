import type { CoreContext } from '../context.ts'

/** The part of the core's context that orders use. */
export type OrdersContext = Pick<
  CoreContext,
  | 'clock'
  | 'random'
  | 'changes'
  | 'accounts'
  | 'vault'
  | 'mirrors'
  | 'jobs'
  | 'activity'
  | 'settings'
  | 'notices'
  | 'attention'
  | 'connection'
  | 'report'
>
