import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { KeyHistory } from './key-history.ts'

/** Implements the key history's contract. */
export function createKeyHistoryRouter(keyHistory: KeyHistory) {
  const os = implement(contract.keyHistory)
  return os.router({
    find: os.find.handler(({ input }) => keyHistory.look(input)),
    ofSale: os.ofSale.handler(({ input }) => keyHistory.ofSale(input)),
  })
}
