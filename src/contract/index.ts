import { accountsContract } from './accounts.ts'
import { appContract } from './app.ts'
import { balanceContract } from './balance.ts'
import { batchesContract } from './batches.ts'
import { catalogueContract } from './catalogue.ts'
import { disputesContract } from './disputes.ts'
import { importsContract } from './imports.ts'
import { offersContract } from './offers.ts'
import { lifeLineContract } from './life-line.ts'
import { ordersContract } from './orders.ts'
import { outboxContract } from './outbox.ts'
import { priceWatchContract } from './price-watch.ts'
import { salesContract } from './sales.ts'
import { sandboxContract } from './sandbox.ts'
import { vaultContract } from './vault.ts'

/** Everything the screen may ask of the core. Both hosts serve exactly this. */
export const contract = {
  app: appContract,
  accounts: accountsContract,
  vault: vaultContract,
  sandbox: sandboxContract,
  catalogue: catalogueContract,
  offers: offersContract,
  imports: importsContract,
  batches: batchesContract,
  orders: ordersContract,
  sales: salesContract,
  disputes: disputesContract,
  lifeLine: lifeLineContract,
  balance: balanceContract,
  outbox: outboxContract,
  priceWatch: priceWatchContract,
}
export type Contract = typeof contract
