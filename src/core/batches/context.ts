import type { CoreContext } from '../context.ts'

/** The part of the core's context that batches use. */
export type BatchesContext = Pick<
  CoreContext,
  'clock' | 'changes' | 'accounts' | 'vault' | 'mirrors' | 'report'
>
