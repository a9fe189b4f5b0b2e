import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { formatMessage } from '../../../contract/localization/localized.ts'
import type { ActivityEntry } from '../../../contract/app/app.ts'
import type { KeyImportContext } from '../context.ts'
import { createDraftStore } from '../draft-store.ts'
import { keyRecords } from '../key-records.ts'
import { importsSchemas } from '../schema.ts'
import { createUploadStore } from '../upload/store/upload-store.ts'
import { undoStore } from '../undo-store.ts'
import { fingerprintOf, runUndo } from './undo.ts'
import type { UndoOffers } from './undo.ts'

let journal: BetterSqlite3.Database
beforeEach(() => {
  journal = new BetterSqlite3(':memory:')
  for (const { place, steps } of importsSchemas)
    if (place === 'journal') for (const step of steps) journal.exec(step)
})
afterEach(() => journal.close())

/** An undo of an import, with the other parts that {@link runUndo} needs. */
function createUndo(state: 'planning' | 'restoring', { takenBack = 0, toReturn = 0 }) {
  journal.exec(`
    INSERT INTO imports (number, import_id, state, created_at, ended_at, sums, problems) VALUES
      (1, 'undone', 'done', 1, 1, '{}', '[]'), (2, 'return', 'done', 1, 1, '{}', '[]');
    INSERT INTO import_offers (import_number, position, offer_id, product, name, platform, region)
      VALUES (1, 0, 'off_1', 'prd_1', 'Ironwharf', 'Steam', 'Global'),
        (2, 0, 'off_1', 'prd_1', 'Ironwharf', 'Steam', 'Global');
    INSERT INTO import_undos (import_number, offer, state, status_before, withdrawal_id, return_id,
      started_at, taken_back, to_return)
      VALUES (1, 0, '${state}', 'paused', 'wdr', 'return', 1, ${takenBack}, ${toReturn})`)
  const entries: Pick<ActivityEntry, 'detail'>[] = []
  const context = {
    vault: {
      fingerprint: (digest: Buffer) => digest,
      holdUnlocked: <Result>(work: () => Promise<Result>) => work(),
    },
    mirrors: { database: () => journal },
    clock: { now: () => 7 },
    activity: { add: (entry: Pick<ActivityEntry, 'detail'>) => entries.push(entry) },
    report: (_where: string, error: unknown) => {
      throw error
    },
  } as unknown as KeyImportContext
  const withdrawn: { position: number; value: string }[] = []
  const offers = {
    syncNow: () => Promise.resolve(),
    withdrawals: { values: () => withdrawn, release: () => {} },
  } as unknown as UndoOffers
  const uploads = createUploadStore(journal)
  const session = { accountId: 'a', drafts: createDraftStore(journal), uploads, folder: () => '' }
  const { signal } = new AbortController()
  const nothing = (): void => {}
  const parts = { context, offers, session, signal, startReturn: nothing, changed: nothing }
  return { parts, withdrawn, entries, uploads }
}

/** Runs the last step of an undo that planned to return three keys. */
async function finishUndo(
  requests: readonly { state: 'settled' | 'refused' | 'sent'; keys: number; added: number }[],
  state: 'done' | 'cancelled' = 'done',
): Promise<{ note: string; activity: string }> {
  const { parts, entries, uploads } = createUndo('restoring', { takenBack: 2, toReturn: 3 })
  const insert = journal.prepare(`
    INSERT INTO import_requests (import_number, position, offer, keys, frame, frame_offset,
      frame_length, idempotency_key, state, added) VALUES (2, ?, 0, ?, 0, 0, 0, ?, ?, ?)`)
  for (const [at, { state, keys, added }] of requests.entries())
    insert.run(at, keys, `key-${at}`, state, added)
  uploads.setState(2, state, null)
  await runUndo(parts, 1, 0)
  const [note] = uploads.journal(1)
  const [noted = '', active = ''] = [note, entries[0]].map((each) =>
    each?.detail == null ? '' : formatMessage(each.detail),
  )
  return { note: noted, activity: active }
}

test('reports only the keys that the service has again as uploaded again', async () => {
  const reported = await finishUndo([
    { state: 'settled', keys: 1, added: 1 },
    { state: 'refused', keys: 2, added: 0 },
  ])
  const sentence =
    '2 keys of Ironwharf are in the vault, 1 other was uploaded again. ' +
    '2 others weren’t uploaded again and are in the vault too'
  expect(reported).toEqual({ note: sentence, activity: sentence })
})

test('reports an undo whose upload was canceled before it sent a key', async () => {
  expect((await finishUndo([])).note).toBe(
    '2 keys of Ironwharf are in the vault. 3 others weren’t uploaded again and are in the vault too',
  )
})

test('reports keys in doubt of an undo whose upload was canceled', async () => {
  const { note } = await finishUndo(
    [
      { state: 'settled', keys: 1, added: 1 },
      { state: 'sent', keys: 1, added: 0 },
    ],
    'cancelled',
  )
  expect(note).toBe(
    '2 keys of Ironwharf are in the vault, 1 other was uploaded again. ' +
      '1 other wasn’t uploaded again and is in the vault too. ' +
      '1 other is in the vault and may also be on the offer',
  )
})

test('reports an undo that returned all other keys', async () => {
  expect((await finishUndo([{ state: 'settled', keys: 3, added: 3 }])).note).toBe(
    '2 keys of Ironwharf are in the vault, 3 others were uploaded again',
  )
})

test('counts each withdrawn key once if Keydesk stops right after counting them', async () => {
  const { parts, withdrawn } = createUndo('planning', {})
  const { context } = parts
  const records = keyRecords(journal)
  for (const value of ['KEY-1', 'KEY-2']) {
    const fingerprint = fingerprintOf(context, value)
    withdrawn.push({ position: withdrawn.length, value })
    const place = { importNumber: 1, offer: 0, request: 0, file: 0, line: withdrawn.length }
    records.settle({ fingerprint, product: 'prd_1', ...place, fate: 'added', at: 1 })
    records.withdraw('prd_1', [fingerprint], 2)
  }
  const killed = new AbortController()
  const stopping = {
    ...context,
    vault: {
      ...context.vault,
      async holdUnlocked<Result>(work: () => Promise<Result>): Promise<Result> {
        await work()
        killed.abort()
        throw new Error('killed')
      },
    },
  }
  await runUndo({ ...parts, context: stopping, signal: killed.signal }, 1, 0)
  await runUndo(parts, 1, 0)
  expect(undoStore(journal).find(1, 0)).toMatchObject({ state: 'done', takenBack: 2 })
})
