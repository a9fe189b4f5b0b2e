import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DisputeFilter, DisputeRow } from '../../../contract/disputes/dispute-records.ts'
import { disputeSortColumns } from '../../../contract/disputes/dispute-records.ts'
import { catalogueSchema } from '../../catalogue/schema.ts'
import { wordsOf } from '../../mirror/mirror.ts'
import { openDatabase } from '../../mirror/database/open-database.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { disputeFacts } from '../sync/facts.ts'
import { listDisputes, positionOfDispute } from './list.ts'
import { disputesSchemas } from '../schema.ts'
import { disputeStore } from '../store.ts'

const said = [
  'It says the code was already used',
  'Der Code ist ungültig',
  'Region error: not available',
  'Something "odd" happened',
]
const names = ['Ironwharf', 'Cinder"keep" %_', 'Žluť 钥匙 Online', 'Nightjar']
const indexIn = (rows: readonly DisputeRow[], id: string): number | null => {
  const index = rows.findIndex(({ disputeId }) => disputeId === id)
  return index < 0 ? null : index
}
type Kept = { id: string; name: string; text: string; open: boolean }

const wordsArb = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'iron',
        'ir',
        'ARF',
        '"',
        'keep"',
        '%',
        '钥匙',
        'žlu',
        'online',
        'dsp_',
        'ord_1',
        'ord',
        '1',
        '39',
        'dsp_2',
        '3',
        'x',
        "'",
        '*',
        'NEAR(',
        'night jar',
      ),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 3 },
  )
  .map((words) => words.join(' '))

test('finds names by words, otherwise ids by prefix, with the chosen reasons, after every change and removal', () => {
  const folder = temporaryFolder()
  const db = openDatabase(path.join(folder.path, 'mirror.db'), [
    catalogueSchema,
    ...disputesSchemas,
  ])
  const store = disputeStore(db)
  const kept = new Map<string, Kept>()
  const put = (at: number, name: string): void => {
    const id = `dsp_${at.toString(36)}`
    const text = said[at % said.length] ?? ''
    const open = at % 9 === 0
    store.put(
      disputeFacts(
        {
          id,
          orderId: `ord_${at % 40}`,
          name,
          reason: text,
          status: open ? 'open' : 'resolved',
          openedAt: new Date(at * 1000).toISOString(),
          updatedAt: new Date(at * 1000).toISOString(),
        },
        id,
      ),
      { reason: null, fingerprint: null },
      1,
      1,
    )
    kept.set(id, { id, name, text, open })
  }
  try {
    store.transaction(() => {
      for (let at = 0; at < 300; at += 1) put(at, `${names[at % names.length] ?? ''} ${at % 11}`)
      for (let at = 0; at < 300; at += 7) put(at, `Renamed ${at % 5}`)
      for (let at = 5; at < 300; at += 13) {
        store.drop(`dsp_${at.toString(36)}`)
        kept.delete(`dsp_${at.toString(36)}`)
      }
    })
    type Row = { id: string; kind: string; nameKey: string; sale: string; order: string }
    const known = db
      .prepare<[], Row>(
        `SELECT dispute_id AS id, reason_kind AS kind, name_key AS nameKey,
          coalesce(sale_id, '') AS sale, coalesce(order_id, '') AS 'order' FROM disputes`,
      )
      .all()
    const sayingName = (word: string, { nameKey }: Row): boolean =>
      nameKey.includes(word) ||
      (wordsOf(word).length > 0 && wordsOf(word).every((part) => nameKey.includes(part)))
    const beginning = (word: string, { id, sale, order }: Row): boolean =>
      [id, sale, order].some((each) =>
        ['', 'dsp_', 'sal_', 'ord_'].some((prefix) => each.startsWith(prefix + word)),
      )
    const fitsWord =
      (word: string) =>
      (row: Row): boolean =>
        known.some((each) => sayingName(word, each))
          ? sayingName(word, row)
          : word.length > 2 && ['dsp_', 'sal_', 'ord_'].some((prefix) => prefix.startsWith(word))
            ? true
            : beginning(word, row)
    const rowOf = new Map(known.map((row) => [row.id, row]))
    fc.assert(
      fc.property(
        wordsArb,
        fc.subarray(['used', 'invalid', 'region', 'other'] as const),
        fc.constantFrom<DisputeFilter['view']>('all', 'resolved', 'inbox'),
        fc.record({
          column: fc.constantFrom(...disputeSortColumns),
          direction: fc.constantFrom('asc' as const, 'desc' as const),
        }),
        (query, reasons, view, sort) => {
          const asked = { view, query, unread: false, reasons: [...reasons], languages: [] }
          const { rows, total } = listDisputes(
            db,
            { ...asked, sort, offset: 0, limit: 1000 },
            { accountId: 'a', now: 1, reasonOf: () => null, waits: () => false },
          )
          const fit = query.toLowerCase().split(/\s+/).filter(Boolean).map(fitsWord)
          const wanted = [...kept.values()].filter(({ id, open }) => {
            const row = rowOf.get(id)
            return (
              row !== undefined &&
              fit.every((fits) => fits(row)) &&
              (reasons.length === 0 || reasons.some((reason) => reason === row.kind)) &&
              (view === 'all' || open === (view === 'inbox'))
            )
          })
          expect(rows.map(({ disputeId }) => disputeId).toSorted()).toEqual(
            wanted.map(({ id }) => id).toSorted(),
          )
          expect(total).toBe(wanted.length)
          // Each dispute is located at its index, and none that the list lacks.
          for (const { id } of known)
            expect(positionOfDispute(db, { ...asked, sort }, id, 1)).toBe(indexIn(rows, id))
        },
      ),
      { numRuns: 60 },
    )
  } finally {
    db.close()
    folder.remove()
  }
})
