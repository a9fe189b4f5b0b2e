import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import type { Repositories, Store } from '../domain/ports/store.ts'
import { createAccountRepository } from './accounts/account-repository.ts'
import { createBulkRepository } from './catalogue/bulk-repository.ts'
import { createCatalogueRepository } from './catalogue/catalogue-repository.ts'
import { openDatabase } from './database/database.ts'
import { createDisputeRepository } from './orders/dispute-repository.ts'
import { createIdempotencyRepository } from './orders/idempotency-repository.ts'
import { createLedgerRepository } from './ledger-repository.ts'
import { createRowCache } from './row-cache.ts'
import { createMarketRepository } from './market-repository.ts'
import { createOfferRepository } from './offers/offer-repository.ts'
import { createOrderRepository } from './orders/order-repository.ts'
import { createSaleRepository } from './orders/sale-repository.ts'
import { createSettingsRepository } from './settings-repository.ts'
import { createStateOpener } from './database/prepared-states.ts'
import { createSnapshots } from './database/snapshot-files.ts'
import { createStockRepository } from './offers/stock-repository.ts'
import { createTransactions } from './database/transactions.ts'
import { createWebhookRepository } from './webhooks/webhook-repository.ts'

function repositoriesOf(database: Database): Repositories {
  const cache = createRowCache()
  return {
    ...createTransactions(database, cache.clear),
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
    stock: createStockRepository(database),
    webhooks: createWebhookRepository(database),
  }
}

/** A repository whose calls go to the present one, also after the state was replaced. */
function following<Repository extends object>(present: () => Repository): Repository {
  const names = Object.keys(present()) as (keyof Repository)[]
  const call =
    (name: keyof Repository) =>
    (...given: readonly unknown[]): unknown =>
      (present()[name] as (...given: readonly unknown[]) => unknown)(...given)
  return Object.fromEntries(names.map((name) => [name, call(name)])) as Repository
}

/**
 * Opens the service's storage in a data folder for this process alone; a second process gets
 * StoreOpenError `locked`. The folder is created if missing; `:memory:` stores nothing. Without
 * `durable`, a crash of the computer may lose acknowledged commits. Throws StoreOpenError.
 */
export function openStore(folder: string, options: { durable?: boolean } = {}): Store {
  const opened = openDatabase(folder, options)
  let present = repositoriesOf(opened.database)
  const states = createStateOpener(opened, repositoriesOf, () => {
    present = repositoriesOf(opened.database)
  })
  return {
    transaction: (work) => present.transaction(work),
    savepoint: (work) => present.savepoint(work),
    afterCommit: (effect) => present.afterCommit(effect),
    accounts: following(() => present.accounts),
    bulk: following(() => present.bulk),
    catalogue: following(() => present.catalogue),
    disputes: following(() => present.disputes),
    idempotency: following(() => present.idempotency),
    ledger: following(() => present.ledger),
    market: following(() => present.market),
    offers: following(() => present.offers),
    orders: following(() => present.orders),
    sales: following(() => present.sales),
    settings: following(() => present.settings),
    snapshots: createSnapshots(() => opened.database, join(folder, 'snapshots'), states),
    stock: following(() => present.stock),
    webhooks: following(() => present.webhooks),
    close: opened.close,
  }
}
