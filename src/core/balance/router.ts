import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Balance } from './balance.ts'

/** Binds the contract's procedures to the balance feature. */
export function createBalanceRouter(balance: Balance) {
  const os = implement(contract.balance)
  return os.router({
    now: os.now.handler(({ input }) => balance.now(input)),
    history: os.history.handler(({ input }) => balance.history(input)),
  })
}
