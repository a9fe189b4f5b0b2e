import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import type { StateCopy } from '../domain/ports/snapshots.ts'
import type { Store } from '../domain/ports/store.ts'
import type { Repositories } from '../domain/ports/repositories.ts'
import { createAccountRepository } from './accounts/account-repository.ts'
import { createBulkRepository } from './catalogue/bulk-repository.ts'
import { createCatalogueRepository } from './catalogue/catalogue-repository.ts'
import { openBeside, openCopy, openDatabase } from './database/database.ts'
import { createDisputeRepository } from './orders/dispute-repository.ts'
import { createIdempotencyRepository } from './orders/idempotency-repository.ts'
import { createLedgerRepository } from './ledger-repository.ts'
import { createRowCache } from './row-cache.ts'
import { createMarketRepository } from './market-repository.ts'
import { createOfferRepository } from './offers/offer-repository.ts'
import { createOrderRepository } from './orders/order-repository.ts'
import { createSaleRepository } from './orders/sale-repository.ts'
import { createSettingsRepository } from './settings-repository.ts'
import { withLazyStatements } from './database/lazy-statements.ts'
import { createStateOpener } from './database/prepared-states.ts'
import { createSnapshots } from './database/snapshot-files.ts'
import { createStockRepository } from './offers/stock-repository.ts'
import { createTransactions, type TransactionKind } from './database/transactions.ts'
import { createWebhookRepository } from './webhooks/webhook-repository.ts'

let connections = 0

/** The repositories of a connection. `forget` clears their caches after a change from outside. */
function repositoriesOf(
  database: Database,
  kind: TransactionKind = 'outermost',
): Repositories & { forget(): void } {
  const cache = createRowCache()
  const lazy = withLazyStatements(database)
  const changes = lazy.prepare<[], number>('SELECT total_changes()').pluck()
  const connection = (connections += 1)
  let rollbacks = 0
  /** A rollback takes changes back without counting fewer. */
  function forget(): void {
    rollbacks += 1
    cache.clear()
  }
  return {
    ...createTransactions(lazy, forget, kind),
    forget,
    version: () => `${connection} ${rollbacks} ${changes.get() ?? 0}`,
    accounts: createAccountRepository(lazy, cache),
    bulk: createBulkRepository(lazy),
    catalogue: createCatalogueRepository(lazy, cache),
    disputes: createDisputeRepository(lazy),
    idempotency: createIdempotencyRepository(lazy),
    ledger: createLedgerRepository(lazy),
    market: createMarketRepository(lazy, cache),
    offers: createOfferRepository(lazy, cache),
    orders: createOrderRepository(lazy),
    sales: createSaleRepository(lazy),
    settings: createSettingsRepository(lazy),
    stock: createStockRepository(lazy),
    webhooks: createWebhookRepository(lazy),
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
    ...followingAll(() => present),
    snapshots: createSnapshots(
      () => opened.database,
      join(folder, 'snapshots'),
      states,
      options.durable ?? true,
    ),
    close: opened.close,
  }
}

/**
 * A store for trials: a copy of another store's state, in memory. A crash loses it, and nothing
 * changes the original.
 */
export interface TrialStore extends Store {
  /** Whether a restore or a reset replaced the copy. */
  readonly replaced: boolean
  /** Undoes every change since the copy was shown. */
  rewind(): void
  /** Shows another copy. */
  show(copy: StateCopy): void
}

/** `folder` is for the files of snapshots and resets that are tried. */
export function openTrialStore(folder: string, first: StateCopy): TrialStore {
  let copy = first
  let database = openCopy(copy)
  let present = repositoriesOf(database, 'savepoint')
  let replaced = false

  function show(next: StateCopy): void {
    database.close()
    copy = next
    database = openCopy(copy)
    present = repositoriesOf(database, 'savepoint')
  }
  const states = createStateOpener(
    {
      get database() {
        return database
      },
      openBeside: (path) => openBeside(path, copy.sealKey),
      replaceBy(path) {
        show({ ...copy, bytes: readFileSync(path) })
        replaced = true
      },
    },
    repositoriesOf,
    () => undefined,
  )
  return {
    ...followingAll(() => present),
    snapshots: createSnapshots(() => database, join(folder, 'snapshots'), states, true),
    get replaced() {
      return replaced
    },
    rewind() {
      database.exec('ROLLBACK; BEGIN')
      present.forget()
    },
    show,
    close: () => database.close(),
  }
}

/** Repositories whose calls go to the present ones. */
function followingAll(present: () => Repositories): Repositories {
  return {
    transaction: (work) => present().transaction(work),
    savepoint: (work) => present().savepoint(work),
    afterCommit: (effect) => present().afterCommit(effect),
    version: () => present().version(),
    accounts: following(() => present().accounts),
    bulk: following(() => present().bulk),
    catalogue: following(() => present().catalogue),
    disputes: following(() => present().disputes),
    idempotency: following(() => present().idempotency),
    ledger: following(() => present().ledger),
    market: following(() => present().market),
    offers: following(() => present().offers),
    orders: following(() => present().orders),
    sales: following(() => present().sales),
    settings: following(() => present().settings),
    stock: following(() => present().stock),
    webhooks: following(() => present().webhooks),
  }
}
