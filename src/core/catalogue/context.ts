import type { CoreContext } from '../context.ts'

/** The part of the core's context that the catalogue uses. */
export type CatalogueContext = Pick<
  CoreContext,
  | 'host'
  | 'clock'
  | 'random'
  | 'changes'
  | 'accounts'
  | 'mirrors'
  | 'jobs'
  | 'settings'
  | 'attention'
  | 'connection'
  | 'report'
>
