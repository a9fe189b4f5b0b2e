import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { KeyImportContext } from '../context.ts'
import { keyRecords } from '../key-records.ts'
import { importsSchemas } from '../schema.ts'
import { fingerprintOf } from './undo.ts'
import { createUndoRunner } from './undo-runner.ts'
import type { UndoParts } from './undo-runner.ts'

type Kept = Parameters<UndoParts['offers']['withdrawals']['onKept']>[0]

let journal: BetterSqlite3.Database
beforeEach(() => {
  journal = new BetterSqlite3(':memory:')
  for (const { place, steps } of importsSchemas)
    if (place === 'journal') for (const step of steps) journal.exec(step)
})
afterEach(() => journal.close())

/** The parts that marking withdrawn keys needs. */
const context = {
  vault: { fingerprint: (digest: Buffer) => digest },
  mirrors: { database: () => journal },
  clock: { now: () => 7 },
  changes: { notify: () => {} },
} as unknown as KeyImportContext

test('marks withdrawn keys of an import although the copy of the offers was lost', () => {
  journal.exec(`
    INSERT INTO imports (number, import_id, state, created_at, sums, problems)
      VALUES (1, 'imp', 'done', 1, '{}', '[]');
    INSERT INTO import_offers (import_number, position, offer_id, product, name, platform, region)
      VALUES (1, 0, 'off_1', 'prd_1', 'Ironwharf', 'Steam', 'Global')`)
  const records = keyRecords(journal)
  const fingerprint = fingerprintOf(context, 'KEY-1')
  const place = { importNumber: 1, offer: 0, request: 0, file: 0, line: 1 }
  records.settle({ fingerprint, product: 'prd_1', ...place, fate: 'added', at: 1 })

  let kept: Kept = () => {}
  const offers = { keys: () => [], withdrawals: { onKept: (listener: Kept) => (kept = listener) } }
  createUndoRunner(context, { offers, book: {} } as unknown as UndoParts)
  kept('account', 'off_1', ['KEY-1'])

  expect(records.of(fingerprint)).toMatchObject([{ product: 'prd_1', goneAt: 7 }])
})
