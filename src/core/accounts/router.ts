import { implement } from '@orpc/server'
import type { Account, Removal } from '../../contract/app/accounts.ts'
import { contract } from '../../contract/index.ts'
import type { ConnectionFacts } from '../context.ts'
import type { Accounts } from './accounts.ts'

/** Implements the accounts contract. */
export function createAccountsRouter(
  accounts: Accounts,
  factsOf: (accountId: string) => readonly ConnectionFacts[],
  removalOf: (account: Account) => Removal,
) {
  const os = implement(contract.accounts)
  return os.router({
    list: os.list.handler(() => accounts.list()),
    check: os.check.handler(({ input }) => accounts.check(input.key, input.baseUrl)),
    connect: os.connect.handler(({ input }) => accounts.connect(input)),
    rename: os.rename.handler(({ input }) => accounts.rename(input.accountId, input.name)),
    confirmAddress: os.confirmAddress.handler(({ input }) =>
      accounts.confirmAddress(input.accountId),
    ),
    rekey: os.rekey.handler(({ input }) => accounts.rekey(input.accountId, input.key, input.keep)),
    removal: os.removal.handler(({ input }) => removalOf(accounts.get(input.accountId))),
    remove: os.remove.handler(({ input }) =>
      accounts.remove(input.accountId, removalOf(accounts.get(input.accountId))),
    ),
    connection: os.connection.handler(({ input }) =>
      accounts.connection(input.accountId, factsOf(input.accountId)),
    ),
    syncNow: os.syncNow.handler(({ input }) => accounts.syncNow(input.accountId)),
  })
}
