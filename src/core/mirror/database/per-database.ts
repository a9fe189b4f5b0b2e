import type { Database } from 'better-sqlite3'

/** One store per connection, created on first use, because preparing its statements takes time. */
export function perDatabase<Store extends object>(
  create: (db: Database) => Store,
): (db: Database) => Store {
  const stores = new WeakMap<Database, Store>()
  return (db) => {
    const store = stores.get(db) ?? create(db)
    stores.set(db, store)
    return store
  }
}
