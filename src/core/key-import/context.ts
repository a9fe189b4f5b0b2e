import type { CoreContext } from '../context.ts'

/** The part of the core's context that key imports use. */
export type KeyImportContext = Pick<
  CoreContext,
  | 'host'
  | 'clock'
  | 'random'
  | 'changes'
  | 'accounts'
  | 'vault'
  | 'mirrors'
  | 'jobs'
  | 'activity'
  | 'notices'
  | 'connection'
  | 'report'
  | 'diskSpace'
>
