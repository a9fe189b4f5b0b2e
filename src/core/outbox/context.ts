import type { CoreContext } from '../context.ts'

/** The part of the core's context that the outbox uses. */
export type OutboxContext = Pick<
  CoreContext,
  'clock' | 'random' | 'changes' | 'accounts' | 'vault' | 'mirrors' | 'connection' | 'report'
>
