import type { PolledTopic } from '../../contract/app/app.ts'
import type { CoreContext, ServiceConnection } from '../context.ts'
import { createAccountScopes } from '../lifecycle/lifecycle.ts'
import type { AccountFeature, AccountScope, Scope } from '../lifecycle/lifecycle.ts'
import type { PollLoop } from '../mirror/mirror.ts'
import { startPolling } from './poll-topic.ts'
import type { PollingContext } from './poll-topic.ts'

/** A feature of seller accounts that polls one topic. */
export type PolledFeature<State> = Required<Pick<AccountFeature<State>, 'otherRole' | 'open'>> & {
  topic: PolledTopic
  /** Reads once. Returns whether it found anything new. */
  read(
    state: State,
    accountId: string,
    connection: Pick<ServiceConnection, 'call'>,
    signal: AbortSignal,
  ): Promise<boolean>
}

export interface PolledAccounts<State> {
  /** An account's state, opened at first use. Throws Failure `NOT_FOUND`. */
  of(accountId: string): State
  /** The scope of an account's files. Throws Failure `NOT_FOUND`. */
  scope(accountId: string): AccountScope
  /** Polls now. Resolves when that has finished, successfully or not. */
  syncNow(accountId: string): Promise<void>
}

/** Opens a feature for every seller account, and polls its topic while the account can work. */
export function pollSellers<State>(
  context: PollingContext & Pick<CoreContext, 'accounts'>,
  scope: Scope,
  { topic, otherRole, open, read }: PolledFeature<State>,
): PolledAccounts<State> {
  const accounts = createAccountScopes<{ state: State; pollLoop: PollLoop | null }>(
    context,
    scope,
    {
      role: 'seller',
      otherRole,
      open: (files) => ({ state: open(files), pollLoop: null }),
      start(account, { accountId, signal, spawn }) {
        account.pollLoop = startPolling({
          context,
          accountId,
          topic,
          signal,
          read: (connection) => spawn(read(account.state, accountId, connection, signal)),
        })
      },
    },
  )
  const syncNow = async (accountId: string): Promise<void> => {
    await accounts.opened(accountId)?.pollLoop?.runNow()
  }
  context.accounts.onSyncNow((accountId) => void syncNow(accountId))
  return { of: (accountId) => accounts.of(accountId).state, scope: accounts.scope, syncNow }
}
