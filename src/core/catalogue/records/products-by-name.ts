import type { Database } from 'better-sqlite3'
import { sortKey } from '../../mirror/mirror.ts'

/** Ids of products on sale with this name in any case, at most `limit`. */
export const productsByName = (db: Database, name: string, limit: number): string[] =>
  db
    .prepare('SELECT product_id FROM products WHERE name_key = :key AND removed = 0 LIMIT :limit')
    .pluck()
    .all({ key: sortKey(name), limit }) as string[]
