import { accountsContract } from './accounts.ts'
import { appContract } from './app.ts'
import { catalogueContract } from './catalogue.ts'
import { importsContract } from './imports.ts'
import { offersContract } from './offers.ts'
import { ordersContract } from './orders.ts'
import { outboxContract } from './outbox.ts'
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
  orders: ordersContract,
  outbox: outboxContract,
}
export type Contract = typeof contract
