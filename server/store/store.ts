import { join } from 'node:path'
import type { Store } from '../domain/ports/store.ts'
import { createAccountRepository } from './accounts/account-repository.ts'
import { createBulkRepository } from './catalogue/bulk-repository.ts'
import { createCatalogueRepository } from './catalogue/catalogue-repository.ts'
import { openDatabase } from './database/database.ts'
import { createDisputeRepository } from './orders/dispute-repository.ts'
import { createIdempotencyRepository } from './orders/idempotency-repository.ts'
import { createLedgerRepository } from './ledger-repository.ts'
import { createRowCache } from './row-cache.ts'
import { rebuild } from './database/migrate.ts'
import { createMarketRepository } from './market-repository.ts'
import { createOfferRepository } from './offers/offer-repository.ts'
import { createOrderRepository } from './orders/order-repository.ts'
import { createSaleRepository } from './orders/sale-repository.ts'
import { createSettingsRepository } from './settings-repository.ts'
import { createSnapshots } from './database/snapshot-files.ts'
import { createStockRepository } from './offers/stock-repository.ts'
import { createTransactions } from './database/transactions.ts'
import { createWebhookRepository } from './webhooks/webhook-repository.ts'

/**
 * Opens the service's storage in a data folder for this process alone; a second process gets
 * StoreOpenError `locked`. The folder is created if missing; `:memory:` stores nothing. Without
 * `durable`, a crash of the computer may lose acknowledged commits. Throws StoreOpenError.
 */
export function openStore(folder: string, options: { durable?: boolean } = {}): Store {
  const { database, close } = openDatabase(folder, options)
  const cache = createRowCache()
  return {
    ...createTransactions(database, cache.clear),
    clear() {
      rebuild(database)
      cache.clear()
    },
    accounts: createAccountRepository(database),
    bulk: createBulkRepository(database),
    catalogue: createCatalogueRepository(database),
    disputes: createDisputeRepository(database),
    idempotency: createIdempotencyRepository(database),
    ledger: createLedgerRepository(database),
    market: createMarketRepository(database, cache),
    offers: createOfferRepository(database, cache),
    orders: createOrderRepository(database),
    sales: createSaleRepository(database),
    settings: createSettingsRepository(database),
    snapshots: createSnapshots(database, join(folder, 'snapshots'), cache.clear),
    stock: createStockRepository(database),
    webhooks: createWebhookRepository(database),
    close,
  }
}
