import type { CoreContext } from '../context.ts'

/** The part of the core's context that disputes use. */
export type DisputesContext = Pick<
  CoreContext,
  | 'clock'
  | 'random'
  | 'changes'
  | 'accounts'
  | 'vault'
  | 'mirrors'
  | 'activity'
  | 'settings'
  | 'notices'
  | 'jobs'
  | 'attention'
  | 'connection'
  | 'report'
>
