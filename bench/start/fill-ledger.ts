import { cents } from '../../server/api/money.ts'
import { account, createLedger, transfer } from '../../server/domain/ledger/ledger.ts'
import { openStore } from '../../server/store/store.ts'

const TOGETHER = 1000

/**
 * Books a number of further entries through the service's own ledger, in the state that a kill
 * would leave: with the intermediate checkpoints, without a final one.
 */
export function fillLedger(folder: string, entries: number): void {
  const store = openStore(folder)
  const ledger = createLedger(store)
  const names = Array.from({ length: 50 }, (_, index) => account.sellerPending(`bench${index}`))
  for (let from = 0; from < entries; from += TOGETHER) {
    store.transaction(() => {
      for (let index = from; index < Math.min(from + TOGETHER, entries); index += 1) {
        const name = names[index % names.length] ?? account.margin
        ledger.post({
          mode: 'test',
          type: 'earning_release',
          at: 1_700_000_000_000 + index,
          postings: transfer(account.margin, name, cents(1 + (index % 500))),
        })
      }
    })
  }
  store.close()
}
