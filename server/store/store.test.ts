import Database from 'better-sqlite3'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from './database/database.ts'
import { StoreOpenError } from './errors.ts'
import { migrate, versionOf } from './database/migrate.ts'
import { sandboxDatabase } from '../api/sandbox-database.ts'
import { migrations } from './migrations/index.ts'
import { openStore } from './store.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const file = () => join(folder, 'keydesk.sqlite')

describe('opening a data folder', () => {
  it('creates it for its owner alone, and keeps what was written', () => {
    const inner = join(folder, 'a', 'b')
    const first = openStore(inner)
    first.settings.set('name', 'value')
    first.close()
    expect(statSync(inner).mode & 0o777).toBe(0o700)
    expect(statSync(join(inner, 'keydesk.sqlite')).mode & 0o777).toBe(0o600)
    const second = openStore(inner)
    expect(second.settings.get('name')).toBe('value')
    second.close()
  })

  it('writes durably: write-ahead log, foreign keys, strict tables', () => {
    const store = openStore(folder)
    const database = new Database(file())
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal')
    const loose = database.prepare(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0
        AND name NOT LIKE 'sqlite_%'`,
    )
    expect(loose.all()).toEqual([])
    database.close()
    expect(() =>
      store.orders.addUnit({
        id: 'key_1',
        orderNo: 99,
        line: 1,
        unitNo: null,
        offerNo: null,
        price: null,
        customerPrice: null,
        state: 'delivered',
        testValue: 'TEST-1',
        deliveredAt: 1,
      }),
    ).toThrow('FOREIGN KEY')
    store.close()
  })

  it('waits for the disk at each commit (no kill can show that), unless the folder is temporary', () => {
    const waits = (options?: { durable: boolean }) => {
      const { database, close } = openDatabase(folder, options)
      const synchronous = database.pragma('synchronous', { simple: true })
      close()
      return synchronous
    }
    expect([waits(), waits({ durable: false })]).toEqual([2, 0])
  })

  it('locks it for one user at a time, in this process and in others', async () => {
    const store = openStore(folder)
    expect(() => openStore(folder)).toThrow(expect.objectContaining({ failure: 'locked' }))
    store.close()
    openStore(folder).close()
  })

  it('is possible again after the process that used it was killed', async () => {
    const script = `const { openStore } = await import(${JSON.stringify(new URL('store.ts', import.meta.url).href)});
      openStore(process.argv[1]); console.log('open'); setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    expect(() => openStore(folder)).toThrow(expect.objectContaining({ failure: 'locked' }))
    child.kill('SIGKILL')
    await once(child, 'exit')
    openStore(folder).close()
  })

  it('rejects a database that a newer version wrote, and leaves it unchanged', () => {
    openStore(folder).close()
    const database = new Database(file())
    database.pragma('user_version = 999')
    database.close()
    expect(() => openStore(folder)).toThrow(
      expect.objectContaining({ failure: 'newer', message: expect.stringContaining('999') }),
    )
    const again = new Database(file())
    expect(versionOf(again)).toBe(999)
    again.close()
  })

  it('reports an unreadable database', () => {
    writeFileSync(file(), 'this is no database, and long enough to be looked at as one')
    expect(() => openStore(folder)).toThrow(StoreOpenError)
    writeFileSync(join(folder, 'plain'), '')
    expect(() => openStore(join(folder, 'plain'))).toThrow(
      expect.objectContaining({ failure: 'unreadable' }),
    )
    chmodSync(folder, 0o700)
  })

  it('keeps nothing when in memory', () => {
    const first = openStore(':memory:')
    first.settings.set('name', 'value')
    first.close()
    const second = openStore(':memory:')
    expect(second.settings.get('name')).toBeUndefined()
    second.close()
  })
})

describe('an update', () => {
  const older = migrations.slice(0, -1)
  const olderVersion = older.at(-1)?.version ?? 0
  const copy = () => join(folder, `keydesk.sqlite.before-update-${olderVersion}`)

  /** A database that an earlier version wrote and left in its write-ahead log. */
  function writeOlder(): void {
    const database = new Database(file())
    database.pragma('journal_mode = WAL')
    migrate(database, older)
    database.prepare("INSERT INTO settings (name, value) VALUES ('name', 'value')").run()
    database.close()
  }

  it('copies the database before its tables change, and an older program can use the copy', () => {
    writeOlder()
    const store = openStore(folder)
    store.settings.set('name', 'changed')
    store.close()
    expect(statSync(copy()).mode & 0o777).toBe(0o600)

    for (const suffix of ['', '-wal', '-shm']) rmSync(file() + suffix, { force: true })
    renameSync(copy(), file())
    const database = new Database(file())
    expect(versionOf(database)).toBe(olderVersion)
    expect(database.prepare('SELECT value FROM settings').pluck().all()).toEqual(['value'])
    database.close()
  })

  it('makes no copy of a new database or of one that has the newest tables', () => {
    openStore(folder).close()
    openStore(folder).close()
    expect(readdirSync(folder).filter((name) => name.includes('before-update'))).toEqual([])
  })

  it('changes nothing when the copy can’t be made', () => {
    writeOlder()
    // A folder is where the copy's temporary file goes.
    mkdirSync(`${copy()}.new`)
    expect(() => openStore(folder)).toThrow(expect.objectContaining({ failure: 'unreadable' }))
    const database = new Database(file())
    expect(versionOf(database)).toBe(olderVersion)
    database.close()
    expect(existsSync(copy())).toBe(false)
  })
})

describe('migrations', () => {
  it('have consecutive numbers and each apply once, all or nothing', () => {
    expect(migrations.map(({ version }) => version)).toEqual(
      migrations.map((_, index) => index + 1),
    )
    expect(sandboxDatabase.version).toBe(migrations.length)
    const database = new Database(':memory:')
    const steps = [
      { version: 1, name: 'one', sql: 'CREATE TABLE one (a INTEGER) STRICT' },
      { version: 2, name: 'two', sql: 'INSERT INTO one VALUES (2)' },
    ]
    migrate(database, steps.slice(0, 1))
    migrate(database, steps)
    migrate(database, steps)
    expect(database.prepare('SELECT a FROM one').pluck().all()).toEqual([2])
    const broken = [
      ...steps,
      { version: 3, name: 'three', sql: 'DELETE FROM one; INSERT INTO nowhere VALUES (1)' },
    ]
    expect(() => migrate(database, broken)).toThrow('nowhere')
    expect([
      versionOf(database),
      database.prepare('SELECT count(*) FROM one').pluck().get(),
    ]).toEqual([2, 1])
    database.close()
  })

  it('keep the sales of a first-version database, with nothing holding their release', () => {
    const old = new Database(file())
    old.pragma('foreign_keys = OFF')
    migrate(old, migrations.slice(0, 1))
    old.exec(
      `INSERT INTO sales VALUES (1, 'sal_1', 'sel_1', 1, 1000, 1100, 1100, 'pending', 5, 7, NULL, zeroblob(32))`,
    )
    old.close()
    const store = openStore(folder)
    expect(store.sales.nextReleaseAt()).toBe(7)
    expect(store.sales.upcoming('sel_1')).toEqual([{ date: '1970-01-01', amount: 1000, sales: 1 }])
    expect(store.disputes.nextEscalationAt()).toBeNull()
    store.close()
  })
})

describe('names of an earlier version', () => {
  it('are found by today’s folded form', () => {
    const old = new Database(file())
    migrate(old, migrations.slice(0, 4))
    old.exec(`INSERT INTO products (id, name, name_folded, platform, region, product_type, delivery_type,
      details, low_price, qty, supply_unknown, removed, created_at, updated_at)
      VALUES ('prd_1', 'Weiße Straße', 'weiße straße', 'Steam', 'Global', 'game', 'key', '{}', 0, 0, 0, 0, 1, 1)`)
    old.close()
    const store = openStore(folder)
    expect(store.catalogue.count({ includeRemoved: false, search: 'STRASSE' })).toBe(1)
    store.close()
  })
})

describe('a transaction', () => {
  it('is all or nothing, nested ones join the outer one, and effects follow the commit', () => {
    const store = openStore(folder)
    const told: string[] = []
    const work = (fail: boolean) =>
      store.transaction(() => {
        store.settings.set('a', '1')
        store.afterCommit(() => told.push('after'))
        store.transaction(() => store.settings.set('b', '2'))
        expect(told).toEqual([])
        if (fail) throw new Error('no')
        return 'done'
      })
    expect(() => work(true)).toThrow('no')
    expect([store.settings.get('a'), store.settings.get('b'), told]).toEqual([
      undefined,
      undefined,
      [],
    ])
    expect(work(false)).toBe('done')
    expect([store.settings.get('a'), store.settings.get('b'), told]).toEqual(['1', '2', ['after']])
    store.close()
  })
})

describe('queries that grow with the catalogue and the stock', () => {
  it('use an index', () => {
    openStore(folder).close()
    const database = new Database(file(), { readonly: true })
    const plan = (sql: string) =>
      database
        .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => detail)
        .join('; ')
    const plans = [
      `SELECT * FROM products INDEXED BY products_browse WHERE removed = 0 AND (updated_at, id) > (1, 'a')
        ORDER BY updated_at, id LIMIT 50`,
      `SELECT no FROM units WHERE offer_no = 1 AND state = 'in_stock' ORDER BY no LIMIT 9`,
      `SELECT * FROM offers WHERE product_id = 'a' AND sellable = 1 AND stock > 0
        ORDER BY customer_price, priced_at, id`,
      `SELECT * FROM orders WHERE status = 'processing' AND due_at <= 1 ORDER BY due_at, no LIMIT 32`,
      `SELECT * FROM orders WHERE partner_id = 'a' AND mode = 'live' ORDER BY created_at DESC, id LIMIT 50`,
      `SELECT * FROM products WHERE id IN (SELECT value FROM json_each('[]')) ORDER BY +updated_at, id`,
    ].map(plan)
    for (const detail of plans)
      expect(detail).not.toMatch(/SCAN (products|units|offers|orders)(?! USING INDEX)/)
    for (const detail of plans.slice(0, 5)) expect(detail).not.toContain('TEMP B-TREE')
    database.close()
  })
})
