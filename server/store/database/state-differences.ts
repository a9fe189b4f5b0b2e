import Database from 'better-sqlite3'
import type { StateDifference, WorldArea } from '../../domain/ports/snapshots.ts'
import { versionOf } from './migrate.ts'

/** The compared parts of each area: an id, a readable name, and its values as JSON. */
const queries: Readonly<Record<WorldArea, (state: string) => string>> = {
  clock: (state) => `
    SELECT name AS id, 'The clock' AS subject, json_object('aheadMs', CAST(value AS INTEGER)) AS facts
    FROM ${state}.settings WHERE name = 'clock_offset_ms'`,
  orders: (state) => `
    SELECT id, 'Order ' || external_id || ' (' || mode || ')' AS subject,
      json_object('status', status, 'total', total, 'refunded', refunded) AS facts
    FROM ${state}.orders`,
  stock: (state) => `
    SELECT product_id AS id, max(name) AS subject,
      json_object('stock', sum(stock), 'reserved', sum(reserved), 'sold', sum(sold)) AS facts
    FROM ${state}.offers JOIN ${state}.products ON products.id = product_id GROUP BY product_id`,
  prices: (state) => `
    SELECT id, name AS subject, json_object('price', low_price) AS facts
    FROM ${state}.products WHERE removed = 0`,
  offers: (state) => `
    SELECT offers.id, 'Offer of ' || sellers.name || ' for ' || products.name AS subject,
      json_object('status', offers.status, 'price', price) AS facts
    FROM ${state}.offers JOIN ${state}.sellers ON sellers.id = seller_id
      JOIN ${state}.products ON products.id = product_id WHERE deleted_at IS NULL`,
  ledger: (state) => `
    SELECT mode || ' ' || name AS id, 'Account ' || name || ' (' || mode || ')' AS subject,
      json_object('balance', balance) AS facts
    FROM ${state}.ledger_accounts
    UNION ALL
    SELECT mode || ' ' || type, 'Ledger entries ' || type || ' (' || mode || ')',
      json_object('entries', count(*))
    FROM ${state}.ledger_entries GROUP BY mode, type`,
  disputes: (state) => `
    SELECT id, 'Dispute ' || id AS subject,
      json_object('status', status, 'resolution', resolution, 'messages',
        (SELECT count(*) FROM ${state}.dispute_messages WHERE dispute_no = disputes.no)) AS facts
    FROM ${state}.disputes`,
}

const areas = Object.keys(queries) as WorldArea[]

type Row = { id: string; subject: string; before: string | null; after: string | null }

const factsOf = (text: string | null) =>
  text === null ? null : (JSON.parse(text) as StateDifference['before'])

/** Yields the differences of two database files area by area, the file `from` being earlier. */
export function* stateDifferences(from: string, to: string): Generator<StateDifference[]> {
  const database = new Database(':memory:')
  try {
    database.prepare('ATTACH ? AS earlier').run(from)
    database.prepare('ATTACH ? AS later').run(to)
    for (const area of areas) {
      const rows = database
        .prepare<[], Row>(
          `SELECT id, coalesce(later.subject, earlier.subject) AS subject,
            earlier.facts AS before, later.facts AS after
          FROM (${queries[area]('earlier')}) AS earlier
          FULL JOIN (${queries[area]('later')}) AS later USING (id)
          WHERE earlier.facts IS NOT later.facts ORDER BY id`,
        )
        .all()
      yield rows.map(({ id, subject, before, after }) => ({
        area,
        id,
        subject,
        before: factsOf(before),
        after: factsOf(after),
      }))
    }
  } finally {
    database.close()
  }
}

/** The schema version of a database file; undefined if it can't be read. */
export function fileVersion(path: string): number | undefined {
  try {
    const database = new Database(path, { readonly: true, fileMustExist: true })
    try {
      return versionOf(database)
    } finally {
      database.close()
    }
  } catch {
    return undefined
  }
}
