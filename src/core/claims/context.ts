import type { CoreContext } from '../context.ts'

/** The part of the core's context that claims use. */
export type ClaimsContext = Pick<
  CoreContext,
  | 'clock'
  | 'random'
  | 'changes'
  | 'accounts'
  | 'vault'
  | 'mirrors'
  | 'activity'
  | 'notices'
  | 'report'
>
