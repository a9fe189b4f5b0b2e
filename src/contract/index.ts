import { accountsContract } from './app/accounts.ts'
import { activityContract } from './app/activity.ts'
import { appContract } from './app/app.ts'
import { backupContract } from './app/backup.ts'
import { balanceContract } from './balance.ts'
import { batchesContract } from './keys/batches.ts'
import { costTableContract } from './keys/cost-table.ts'
import { catalogueContract } from './catalogue.ts'
import { claimsContract } from './claims.ts'
import { diagnosticsContract } from './app/diagnostics.ts'
import { disputesContract } from './disputes/disputes.ts'
import { importsContract } from './keys/imports.ts'
import { keyHistoryContract } from './keys/key-history.ts'
import { networkContract } from './app/network.ts'
import { noticesContract } from './app/notices.ts'
import { offersContract } from './offers/offers.ts'
import { ordersContract } from './orders.ts'
import { outboxContract } from './outbox.ts'
import { passphrasesContract } from './app/passphrases.ts'
import { priceWatchContract } from './price-watch/price-watch.ts'
import { recoveryContract } from './app/recovery.ts'
import { salesContract } from './sales.ts'
import { sandboxContract } from './sandbox/sandbox.ts'
import { secondProofContract } from './app/second-proof.ts'
import { sessionsContract } from './app/sessions.ts'
import { spendingContract } from './spending.ts'
import { updatesContract } from './app/updates.ts'
import { vaultContract } from './app/vault.ts'
import { webhookInspectorContract } from './webhook-inspector.ts'

/** Everything the screen can request from the core. Both hosts serve exactly this. */
export const contract = {
  app: appContract,
  activity: activityContract,
  backup: backupContract,
  recovery: recoveryContract,
  diagnostics: diagnosticsContract,
  accounts: accountsContract,
  vault: vaultContract,
  secondProof: secondProofContract,
  passphrases: passphrasesContract,
  sandbox: sandboxContract,
  catalogue: catalogueContract,
  offers: offersContract,
  notices: noticesContract,
  network: networkContract,
  imports: importsContract,
  batches: batchesContract,
  costs: costTableContract,
  keyHistory: keyHistoryContract,
  orders: ordersContract,
  claims: claimsContract,
  spending: spendingContract,
  webhookInspector: webhookInspectorContract,
  sales: salesContract,
  sessions: sessionsContract,
  updates: updatesContract,
  disputes: disputesContract,
  balance: balanceContract,
  outbox: outboxContract,
  priceWatch: priceWatchContract,
}
export type Contract = typeof contract
