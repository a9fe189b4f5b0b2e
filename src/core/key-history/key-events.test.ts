import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { KeyOrigin } from '../../contract/keys/batches.ts'
import type { KeyRecord } from '../key-import/key-import.ts'
import { keyEvents } from './key-events.ts'

const origin = {
  importNumber: 3,
  fileName: 'keys.txt',
  batchName: 'October',
  supplier: 'Nordkey',
  offerId: 'ofr_1',
  offerName: 'Elden Ring',
  uploadedAt: 1000,
} as KeyOrigin

const titlesOf = (fate: KeyRecord['fate'], goneAt: number | null): string[] =>
  keyEvents({
    db: new Database(':memory:'),
    uploads: [{ record: { fate, goneAt, line: 4, request: null, at: 1000 } as KeyRecord, origin }],
    sales: [],
    claims: [],
  }).map(({ title }) => title)

test.each([
  ['added', ['Uploaded with import 3', 'In stock on Elden Ring', 'Withdrawn from the offer']],
  ['unsure', ['Sent with import 3', 'Withdrawn from the offer']],
  ['duplicate', ['Skipped in import 3']],
  ['refused', ['Rejected in import 3']],
  ['excluded', ['Excluded from import 3']],
] as const)('lists the events of a withdrawn key whose result was %s', (fate, events) => {
  expect(titlesOf(fate, 2000)).toEqual(['Read from keys.txt, line 4', 'New key', ...events])
})

test('lists no withdrawal of a key that is still on its offer', () => {
  expect(titlesOf('added', null)).not.toContain('Withdrawn from the offer')
})
