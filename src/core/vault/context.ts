import type { CoreContext } from '../context.ts'

/** The part of the core's context that the vault uses. */
export type VaultContext = Pick<
  CoreContext,
  'clock' | 'random' | 'changes' | 'vault' | 'jobs' | 'activity' | 'settings' | 'report'
>
