import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Balance } from './balance.ts'

/** How the balance answers the contract. */
export function createBalanceRouter(balance: Balance) {
  const os = implement(contract.balance)
  return os.router({
    now: os.now.handler(({ input }) => balance.now(input)),
    history: os.history.handler(({ input }) => balance.history(input)),
  })
}
