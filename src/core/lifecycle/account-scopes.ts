import type { Account } from '../../contract/app/accounts.ts'
import type { CoreContext } from '../context.ts'
import { failure } from '../failure.ts'
import type { Scope } from './scope.ts'

/** A feature's part of one account, for as long as the account's files stay open. */
export type AccountScope = Scope & { readonly accountId: string }

export type AccountFeature<State> = {
  /** The role that the feature is for; null for both. */
  role: Account['role'] | null
  /** Message for an account of the other role: what is wrong, and what to do. */
  otherRole?: readonly [what: string, action: string]
  /** Opens the stores of an account at its first use. */
  open(scope: AccountScope): State
  /**
   * Starts the background work of an account that can work: its key is accepted or being checked.
   * `scope` ends when the account can't work anymore.
   */
  start?(state: State, scope: AccountScope): void
}

export interface AccountScopes<State> {
  /** An account's state, opened at first use. Throws Failure `NOT_FOUND`. */
  of(accountId: string): State
  /** An account's state if it is open. */
  opened(accountId: string): State | undefined
  /** The states that are open, with their accounts. */
  entries(): [accountId: string, state: State][]
  /** The scope of an account's files. Throws Failure `NOT_FOUND`. */
  scope(accountId: string): AccountScope
  /** The states of all accounts of the feature's role, except those that wait for their turn. */
  awake(): State[]
}

/**
 * Gives a feature one state and one scope per account of its role. When an account is removed or its
 * mirror is rebuilt, the scope ends before the files are closed: its signal aborts, and its work
 * settles.
 *
 * @param scope the lifetime of the feature
 */
export function createAccountScopes<State>(
  { accounts }: Pick<CoreContext, 'accounts'>,
  scope: Scope,
  { role, otherRole, open, start }: AccountFeature<State>,
): AccountScopes<State> {
  const opened = new Map<string, { state: State; scope: AccountScope }>()
  const within = (parent: Scope, accountId: string, until?: AbortSignal): AccountScope =>
    Object.assign(parent.child(until), { accountId })

  function entry(accountId: string): { state: State; scope: AccountScope } {
    const known = opened.get(accountId)
    if (known !== undefined) return known
    const account = accounts.get(accountId)
    if (role !== null && account.role !== role) {
      const [what, action] = otherRole ?? [
        `This page needs a ${role} account.`,
        `Choose a ${role} account.`,
      ]
      throw failure('NOT_FOUND', what, action)
    }
    const files = within(scope, accountId)
    const created = { state: open(files), scope: files }
    opened.set(accountId, created)
    return created
  }

  accounts.onReady((account, signal) => {
    if (start === undefined || (role !== null && account.role !== role)) return
    const { state, scope: files } = entry(account.id)
    start(state, within(files, account.id, signal))
  })
  accounts.onRelease(async (accountId) => {
    await opened.get(accountId)?.scope.end()
    opened.delete(accountId)
  })

  return {
    of: (accountId) => entry(accountId).state,
    opened: (accountId) => opened.get(accountId)?.state,
    entries: () => Array.from(opened, ([accountId, { state }]) => [accountId, state]),
    scope: (accountId) => entry(accountId).scope,
    awake: () =>
      accounts
        .list(role === null ? {} : { role })
        .filter(({ id }) => !accounts.isAsleep(id))
        .map(({ id }) => entry(id).state),
  }
}
