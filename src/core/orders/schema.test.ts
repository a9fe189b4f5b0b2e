import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { expect, test } from 'vitest'
import { migrate } from '../mirror/database/migrate.ts'
import { createMirrors } from '../mirror/files/mirrors.ts'
import { temporaryFolder } from '../testing/context.ts'
import { createKeyStore } from './keys/key-store.ts'
import { orderKeyRecord, ordersSchemas } from './schema.ts'
import { createOrderStore } from './store.ts'

/** Writes the mirror of a Keydesk version that stored keys and attempts in the same file. */
function writeOldMirror(folder: string): void {
  mkdirSync(join(folder, 'mirrors'), { recursive: true })
  const db = new SqliteDatabase(join(folder, 'mirrors', 'a.db'))
  const [mirror] = ordersSchemas
  migrate(db, mirror === undefined ? [] : [{ ...mirror, steps: mirror.steps.slice(0, 1) }])
  const order = `external_id, status, mode, total_cents, refunded_cents, created_at,
    tells_first_download, units, delivered_units, title, search, read_at`
  db.exec(`
    INSERT INTO orders (order_id, downloaded_here_at, ${order}) VALUES
      ('o1', 77, 'R1', 'completed', 'live', 100, 0, 1, 1, 1, 1, 'x', 'x', 1),
      ('o2', NULL, 'R2', 'completed', 'live', 100, 0, 1, 1, 1, 1, 'x', 'x', 1);
    INSERT INTO order_keys VALUES
      ('o1', 'k1', 1, 'p1', 'key', 'text/plain', 'A-•', x'0102', 55);
    INSERT INTO order_attempts VALUES
      ('t1', 'R3', 'key-1', '[]', 25, 500, 'unknown', NULL, NULL, 66, NULL);
  `)
  db.close()
}

test('moves keys, downloads and attempts of an earlier version into the journal', () => {
  const folder = temporaryFolder()
  writeOldMirror(folder.path)
  const open = () => {
    const mirrors = createMirrors(folder.path, ordersSchemas)
    const db = mirrors.database('a')
    return { mirrors, orders: createOrderStore(db), keys: createKeyStore(db) }
  }
  const check = ({ orders, keys }: ReturnType<typeof open>): void => {
    expect(keys.ofOrder('o1')).toMatchObject([
      {
        keyId: 'k1',
        line: 1,
        productId: 'p1',
        deliveryType: 'key',
        contentType: 'text/plain',
        masked: 'A-•',
        deliveredAt: 55,
        replacement: false,
        seenAt: null,
      },
    ])
    expect(keys.sealed('o1', 'k1')?.sealed).toEqual(Buffer.from([1, 2]))
    expect(keys.unmarked()).toHaveLength(1)
    expect(orders.attempt('t1')).toMatchObject({
      externalId: 'R3',
      idempotencyKey: 'key-1',
      waitSeconds: 25,
      atMostCents: 500,
      state: 'unknown',
      writtenAt: 66,
    })
  }
  const first = open()
  check(first)
  expect(first.orders.order('o1')?.downloadedHereAt).toBe(77)
  expect(first.orders.order('o2')?.downloadedHereAt).toBeNull()
  first.mirrors.close()
  const again = open()
  check(again)
  again.mirrors.close()
  // The mirror can be read again from the service; the journal is the only copy.
  rmSync(join(folder.path, 'mirrors'), { recursive: true })
  const rebuilt = open()
  check(rebuilt)
  expect(rebuilt.orders.count()).toBe(0)
  rebuilt.mirrors.close()
  folder.remove()
})

test('lets the vault find, decrypt and export every stored key', () => {
  const sealed = ordersSchemas.flatMap((schema) => schema.sealed ?? [])
  expect(sealed).toMatchObject([
    {
      kind: 'delivered-key',
      table: 'order_keys',
      column: 'sealed',
      key: ['order_id', 'key_id'],
      exported: [
        'order_id',
        'line',
        'product_id',
        'key_id',
        'delivery_type',
        'content_type',
        'delivered_at',
      ],
    },
  ])
  expect(sealed[0]?.recordId({ order_id: 'o1', key_id: 'k1' })).toBe('order-key:o1:k1')
  expect(orderKeyRecord('o1', 'k1')).toBe('order-key:o1:k1')
})

test.each(['order_attempts', 'order_bulks', 'order_bulk_orders'])(
  'rejects an unknown state in %s',
  (table) => {
    const db = new SqliteDatabase(':memory:')
    migrate(db, ordersSchemas)
    const columns = db
      .prepare<[], { name: string; type: string }>(`PRAGMA table_info(${table})`)
      .all()
    const insert = (state: string): void =>
      void db
        .prepare(`INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`)
        .run(
          columns.map(({ name, type }) => (name === 'state' ? state : type === 'TEXT' ? 'x' : 1)),
        )
    db.pragma('foreign_keys = OFF')
    expect(() => insert('lost')).toThrow('CHECK constraint failed')
    db.close()
  },
)
