import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../testing/context.ts'
import { systemClock } from '../../clock.ts'
import { damagedName } from '../repair/set-aside.ts'
import { createMirrors } from './mirrors.ts'
import type { Damage } from './mirrors.ts'
import type { FeatureSchema } from '../schema.ts'
import { wordIndex, wordIndexTables } from '../words/word-index.ts'

const seen: FeatureSchema = { feature: 'seen', steps: ['CREATE TABLE seen (name TEXT) STRICT'] }
const kept: FeatureSchema = {
  feature: 'kept',
  place: 'journal',
  steps: ['CREATE TABLE kept (id INTEGER PRIMARY KEY, value TEXT) STRICT'],
  importFromMirror: { table: 'kept', sql: 'INSERT OR IGNORE INTO kept SELECT * FROM old.kept' },
}
const keptMoved: FeatureSchema = { feature: 'kept', steps: ['', 'DROP TABLE IF EXISTS kept'] }
const schemas = [seen, kept, keptMoved]

let folder: ReturnType<typeof temporaryFolder>
let damages: [string, Damage][]
beforeEach(() => {
  folder = temporaryFolder()
  damages = []
})
afterEach(() => folder.remove())

const open = (list: readonly FeatureSchema[] = schemas) =>
  createMirrors(folder.path, list, (accountId, damage) => damages.push([accountId, damage]))
const file = (place: 'mirrors' | 'journals', suffix = ''): string =>
  join(folder.path, place, `a.db${suffix}`)
/** The damaged files that are kept, without their logs. */
const keptFiles = (place: 'mirrors' | 'catalogues' | 'journals'): string[] =>
  readdirSync(join(folder.path, place))
    .filter((name) => /^a\.db\.damaged-[\dTZ-]+$/.test(name))
    .map((name) => `${place}/${name}`)
const valuesOf = (mirrors: ReturnType<typeof open>): unknown =>
  mirrors.database('a').prepare('SELECT value FROM kept ORDER BY id').pluck().all()

function filled(records: number): void {
  const mirrors = open()
  const db = mirrors.database('a')
  db.transaction(() => {
    for (let id = 1; id <= records; id += 1) {
      db.prepare('INSERT INTO seen VALUES (:name)').run({ name: `name ${id}`.repeat(20) })
      db.prepare('INSERT INTO kept VALUES (:id, :value)').run({
        id,
        value: `value ${id}`.repeat(20),
      })
    }
  })()
  mirrors.close()
}

/** Overwrites part of a file with bytes that can't be a page. */
function damage(path: string, from: number, length: number): void {
  const bytes = readFileSync(path)
  bytes.fill(0x5a, from, from + length)
  writeFileSync(path, bytes)
}

describe('the files of an account', () => {
  it('are a mirror and a journal on one connection, readable only by their owner, and are removed together', () => {
    const mirrors = open()
    const db = mirrors.database('a')
    db.prepare("INSERT INTO kept VALUES (1, 'x')").run()
    db.prepare("INSERT INTO seen VALUES ('y')").run()
    expect(
      db.prepare("SELECT count(*) FROM journal.sqlite_schema WHERE name = 'kept'").pluck().get(),
    ).toBe(1)
    expect(
      db.prepare("SELECT count(*) FROM main.sqlite_schema WHERE name = 'kept'").pluck().get(),
    ).toBe(0)
    expect([
      db.pragma('journal.synchronous', { simple: true }),
      db.pragma('journal.secure_delete', { simple: true }),
    ]).toEqual([2, 1])
    for (const place of ['mirrors', 'journals'] as const)
      expect(statSync(file(place)).mode & 0o777).toBe(0o600)
    mirrors.remove('a')
    for (const place of ['mirrors', 'journals'] as const)
      expect(existsSync(file(place))).toBe(false)
    expect(() => mirrors.database('../a')).toThrow('not an account id')
  })

  it('move the journal out of a mirror from when both were one file, again after a kill in between', () => {
    const old = open([seen, { feature: 'kept', steps: kept.steps }])
    old
      .database('a')
      .exec("INSERT INTO kept VALUES (1, 'one'), (2, 'two'); INSERT INTO seen VALUES ('n')")
    old.close()
    const half = open([seen, kept])
    expect(valuesOf(half)).toEqual(['one', 'two'])
    half.close()
    const whole = open()
    expect(valuesOf(whole)).toEqual(['one', 'two'])
    expect(
      whole
        .database('a')
        .prepare("SELECT count(*) FROM main.sqlite_schema WHERE name = 'kept'")
        .pluck()
        .get(),
    ).toBe(0)
    expect(whole.database('a').prepare('SELECT name FROM seen').pluck().all()).toEqual(['n'])
    whole.close()
  })
})

describe('a damaged file', () => {
  it.each([
    ['no longer a database', 0, 4096],
    ['a broken table of contents', 100, 400],
  ])(
    'of a mirror (%s) is set aside and replaced; the journal stays unchanged',
    (_, from, length) => {
      filled(20)
      damage(file('mirrors'), from, length)
      const mirrors = open()
      expect(valuesOf(mirrors)).toHaveLength(20)
      expect(mirrors.database('a').prepare('SELECT count(*) FROM seen').pluck().get()).toBe(0)
      expect(damages).toEqual([['a', { place: 'mirror', kept: keptFiles('mirrors')[0] }]])
      expect(keptFiles('mirrors')).toHaveLength(1)
      mirrors.remove('a')
      expect(keptFiles('mirrors')).toEqual([])
    },
  )

  it('of a catalogue is set aside and replaced; lists and journal stay unchanged', () => {
    const products: FeatureSchema = {
      feature: 'products',
      place: 'catalogue',
      steps: ['CREATE TABLE products (name TEXT) STRICT'],
    }
    const before = open([seen, kept, products])
    before
      .database('a')
      .exec(
        "INSERT INTO seen VALUES ('list'); INSERT INTO kept VALUES (1, 'key'); INSERT INTO products VALUES ('product')",
      )
    before.close()
    damage(join(folder.path, 'catalogues', 'a.db'), 0, 4096)
    const mirrors = open([seen, kept, products])
    expect(valuesOf(mirrors)).toEqual(['key'])
    expect(
      ['seen', 'products'].map((table) =>
        mirrors.database('a').prepare(`SELECT count(*) FROM ${table}`).pluck().get(),
      ),
    ).toEqual([1, 0])
    expect(damages).toEqual([['a', { place: 'catalogue', kept: keptFiles('catalogues')[0] }]])
    mirrors.close()
  })

  it('of a journal is set aside, and its readable records are carried over', () => {
    filled(400)
    truncateSync(file('journals'), Math.floor(statSync(file('journals')).size / 4096 / 2) * 4096)
    const mirrors = open()
    const left = valuesOf(mirrors) as string[]
    expect(left.length).toBeGreaterThan(50)
    expect(left.slice(0, 50)).toEqual(
      Array.from({ length: 50 }, (__, index) => `value ${index + 1}`.repeat(20)),
    )
    expect(damages).toEqual([
      [
        'a',
        {
          place: 'journal',
          carried: left.length,
          lost: ['kept'],
          kept: keptFiles('journals')[0],
        },
      ],
    ])
    expect(mirrors.database('a').prepare('SELECT count(*) FROM seen').pluck().get()).toBe(400)
    mirrors.close()
  })

  it('of a journal loses no record if Keydesk stops while they are carried over', () => {
    filled(400)
    truncateSync(file('journals'), Math.floor(statSync(file('journals')).size / 4096 / 2) * 4096)
    const now = Date.UTC(2026, 10, 24)
    const start = () =>
      createMirrors(folder.path, schemas, () => {}, { ...systemClock, now: () => now })
    // A folder in place of the copy that is read makes it fail, as a kill would.
    const copies = [file('journals'), damagedName(file('journals'), now)].map(
      (name) => `${name}.copy`,
    )
    for (const copy of copies) mkdirSync(copy)
    const stopped = start()
    expect(() => stopped.database('a')).toThrow(/EISDIR|ENOTDIR|EEXIST/)
    stopped.close()
    for (const copy of copies) rmdirSync(copy)
    const mirrors = start()
    expect(valuesOf(mirrors)).toHaveProperty(
      'length',
      expect.toSatisfy((count) => count > 50),
    )
    mirrors.close()
  })

  it('of a journal is replaced by the complete new one if Keydesk stopped in between', () => {
    filled(20)
    renameSync(file('journals'), file('journals', '.repair'))
    const mirrors = open()
    expect(valuesOf(mirrors)).toHaveLength(20)
    mirrors.close()
  })

  it("of a journal that isn't a database at all is saved next to an empty one", () => {
    filled(5)
    damage(file('journals'), 0, statSync(file('journals')).size)
    const mirrors = open()
    expect(valuesOf(mirrors)).toEqual([])
    expect(damages).toMatchObject([['a', { place: 'journal', carried: 0, lost: ['kept'] }]])
    mirrors.close()
  })

  it('is kept when the next one is set aside, even in the same second', () => {
    for (const content of ['first', 'second']) {
      filled(1)
      writeFileSync(file('journals'), content.repeat(2000))
      open().database('a')
    }
    expect(
      keptFiles('journals').map((name) =>
        readFileSync(join(folder.path, name), 'utf8').slice(0, 5),
      ),
    ).toEqual(['first', 'secon'])
  })
})

describe('a mirror from when it held the catalogue too', () => {
  const listed: FeatureSchema = {
    feature: 'listed',
    steps: [
      `CREATE TABLE listed (id INTEGER PRIMARY KEY, name TEXT) STRICT;
      CREATE TABLE listed_sync (id INTEGER PRIMARY KEY, page INTEGER) STRICT;
      INSERT INTO listed_sync VALUES (1, 1);
      ${wordIndexTables('listed')}`,
    ],
  }
  const catalogue: FeatureSchema = {
    feature: 'catalogue',
    place: 'catalogue',
    steps: ['CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT) STRICT'],
  }
  const { place: _, ...together } = catalogue

  it('is split: the catalogue keeps its file, lists and their words move to a new one', () => {
    const old = open([listed, together, kept])
    const db = old.database('a')
    db.exec(
      `INSERT INTO products VALUES (1, 'one'), (2, 'two');
      INSERT INTO listed VALUES (7, 'tide');
      UPDATE listed_sync SET page = 5;
      INSERT INTO kept VALUES (1, 'key')`,
    )
    wordIndex(db, 'listed').put(7, ['tide'], [])
    old.close()
    rmSync(join(folder.path, 'catalogues'), { recursive: true })

    for (const start of ['first', 'second']) {
      const parted = open([listed, catalogue, kept])
      const now = parted.database('a')
      expect(now.prepare('SELECT name FROM products ORDER BY id').pluck().all(), start).toEqual([
        'one',
        'two',
      ])
      expect(now.prepare('SELECT id, name FROM listed').raw().all()).toEqual([[7, 'tide']])
      expect(now.prepare('SELECT page FROM listed_sync').pluck().all()).toEqual([5])
      expect(wordIndex(now, 'listed').firstMatches([[{ text: 'ti', isPrefix: true }]], 5)).toEqual([
        7,
      ])
      expect(valuesOf(parted)).toEqual(['key'])
      expect(
        now
          .prepare(
            "SELECT name FROM catalogue.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY 1",
          )
          .pluck()
          .all(),
      ).toEqual(['products', 'schema_version'])
      expect(
        now
          .prepare("SELECT count(*) FROM main.sqlite_schema WHERE name = 'products'")
          .pluck()
          .get(),
      ).toBe(0)
      wordIndex(now, 'listed').put(8, ['wharf'], [])
      now.exec("INSERT OR REPLACE INTO listed VALUES (7, 'tide')")
      parted.close()
    }
    expect(damages).toEqual([])
    open([listed, catalogue, kept]).remove('a')
    for (const place of ['mirrors', 'catalogues', 'journals'])
      expect(readdirSync(join(folder.path, place))).toEqual([])
  })
})
