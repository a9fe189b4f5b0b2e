import SqliteDatabase from 'better-sqlite3'
import type { Database } from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FeatureSchema } from '../../mirror/schema.ts'
import { damagedFailure, lockedFailure } from '../failures.ts'
import { countSealed, exportedValues, reencryptDatabase } from './sealed-values.ts'

const schemas: FeatureSchema[] = [
  { feature: 'plain', steps: [] },
  {
    feature: 'keys',
    steps: [],
    sealed: [
      {
        kind: 'delivered-key',
        table: 'keys',
        column: 'sealed',
        key: ['order_id', 'key_id'],
        recordId: (row) => `${String(row['order_id'])}:${String(row['key_id'])}`,
        exported: ['order_id', 'line'],
      },
      {
        kind: 'draft',
        table: 'notes',
        column: 'text',
        key: ['note_id'],
        recordId: (row) => `note:${String(row['note_id'])}`,
      },
      {
        kind: 'draft',
        table: 'notes',
        column: 'answer',
        key: ['note_id'],
        recordId: (row) => `answer:${String(row['note_id'])}`,
      },
    ],
  },
]

let database: Database
beforeEach(() => {
  database = new SqliteDatabase(':memory:')
  database.exec(`
    CREATE TABLE keys (order_id TEXT, key_id TEXT, line INTEGER, sealed BLOB);
    CREATE TABLE notes (note_id INTEGER, text BLOB, answer BLOB);
    INSERT INTO keys VALUES
      ('o2', 'a', 1, x'21'), ('o1', 'b', 2, x'12'), ('o1', 'a', NULL, x'11'), ('o3', 'a', 1, NULL);
    INSERT INTO notes VALUES (1, x'51', x'61'), (2, NULL, x'62');
  `)
})
afterEach(() => database.close())

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')
const keysNow = (): unknown[] =>
  database
    .prepare('SELECT hex(sealed) FROM keys WHERE sealed IS NOT NULL ORDER BY order_id, key_id')
    .pluck()
    .all()

test('counts the values of each kind, in all of its columns', () => {
  expect([...countSealed(database, schemas)]).toEqual([
    ['delivered-key', 3],
    ['draft', 3],
  ])
})

test('exports keys with their facts in the order of their records, and nothing else', () => {
  expect([...exportedValues(database, schemas)]).toEqual([
    {
      kind: 'delivered-key',
      recordId: 'o1:a',
      sealed: bytes('11'),
      facts: { order_id: 'o1', line: null },
    },
    {
      kind: 'delivered-key',
      recordId: 'o1:b',
      sealed: bytes('12'),
      facts: { order_id: 'o1', line: 2 },
    },
    {
      kind: 'delivered-key',
      recordId: 'o2:a',
      sealed: bytes('21'),
      facts: { order_id: 'o2', line: 1 },
    },
  ])
})

test('encrypts every value again under its own record, and counts the changed ones', () => {
  const records: string[] = []
  const result = reencryptDatabase(database, schemas, 'acc', (accountId, recordId, sealed) => {
    records.push(`${accountId} ${recordId}`)
    // This value is encrypted with the new key already.
    return recordId === 'o1:b' ? null : Buffer.concat([bytes('ff'), sealed])
  })
  expect(result).toEqual({ values: 5, unreadable: 0 })
  expect(records.toSorted()).toEqual([
    'acc answer:1',
    'acc answer:2',
    'acc note:1',
    'acc o1:a',
    'acc o1:b',
    'acc o2:a',
  ])
  expect(keysNow()).toEqual(['FF11', '12', 'FF21'])
  expect(database.prepare('SELECT hex(text), hex(answer) FROM notes').raw().all()).toEqual([
    ['FF51', 'FF61'],
    ['', 'FF62'],
  ])
})

test('leaves a damaged value unchanged and encrypts the others', () => {
  const result = reencryptDatabase(database, schemas, 'acc', (_accountId, recordId) => {
    if (recordId === 'o1:a') throw damagedFailure()
    return bytes('ff')
  })
  expect(result).toEqual({ values: 5, unreadable: 1 })
  expect(keysNow()).toEqual(['11', 'FF', 'FF'])
})

test.each([
  ['the vault locks', lockedFailure()],
  ['another error occurs', new Error('disk')],
])('changes nothing when %s in between', (_what, error) => {
  let calls = 0
  const reseal = (): Buffer => {
    calls += 1
    if (calls === 3) throw error
    return bytes('ff')
  }
  expect(() => reencryptDatabase(database, schemas, 'acc', reseal)).toThrow(error)
  expect(keysNow()).toEqual(['11', '12', '21'])
})

test.each([
  ['a run', () => null],
  [
    'a run that fails',
    () => {
      throw lockedFailure()
    },
  ],
])('overwrites freed space during %s, and not afterwards', (_what, reseal) => {
  const secureDelete = (): unknown => database.pragma('secure_delete', { simple: true })
  const during: unknown[] = []
  try {
    reencryptDatabase(database, schemas, 'acc', () => {
      during.push(secureDelete())
      return reseal()
    })
  } catch {
    // The caller handles the failure.
  }
  expect(new Set(during)).toEqual(new Set([1]))
  expect(secureDelete()).toBe(0)
})
