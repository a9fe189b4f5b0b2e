import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Spending } from './spending.ts'

/** Implements the spending contract. */
export function createSpendingRouter(spending: Spending) {
  const os = implement(contract.spending)
  return os.router({
    balance: os.balance.handler(({ input }) => spending.balance(input)),
    setLow: os.setLow.handler(({ input }) => spending.setLow(input)),
    spent: os.spent.handler(({ input }) => spending.spent(input)),
    news: os.news.handler(({ input }) => spending.news(input)),
    ledger: os.ledger.handler(({ input }) => spending.ledger(input)),
    export: os.export.handler(({ input }) => spending.export(input)),
    topUp: os.topUp.handler(({ input }) => spending.topUp(input)),
  })
}
