import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { FileSettings } from '../../../contract/keys/import-records.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { viewOf } from '../testing/viewed-file.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const from = (alphabet: string, length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length })
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const keyOf = fc.oneof(
  fc.tuple(from(letters, 5), from(letters, 5), from(letters, 5)).map((all) => all.join('-')),
  fc.tuple(from(letters, 4), from(letters, 4), from(letters, 4)).map((all) => all.join('-')),
  fc.tuple(from('abcdefgh', 6), from(letters, 8)).map(([login, word]) => `${login}@ex.net:${word}`),
  fc.tuple(from(letters, 9), from('0123456789', 4)).map((both) => both.join('')),
)
const comment = fc.constantFrom(
  '"thanks,\nJohn, Sales"',
  '"a; b\r\nc"',
  '"say ""hi"", then\n\nbye"',
  'plain',
  '""',
  '"tab\tand | bar"',
)
const game = fc.constantFrom('Ironwharf 3', '10442', 'MIRR-EU', 'Some Unknown Game', '"Night; Day"')
const delimiter = fc.constantFrom(',', ';', '\t', '|')
const heads = fc.constantFrom(
  { comment: 'comment', game: 'game', key: 'key', qty: 'qty' },
  { comment: 'Bemerkung', game: 'Spiel', key: 'Produktschlüssel', qty: 'Menge' },
  { comment: 'x', game: 'y', key: 'z', qty: 'w' },
  null,
)
const column = fc.constantFrom<'comment' | 'game' | 'key' | 'qty'>('comment', 'game', 'key', 'qty')
const order = fc.uniqueArray(column, { minLength: 4, maxLength: 4 })
const forced = fc.constantFrom<(keyAt: number) => Partial<FileSettings>>(
  () => ({}),
  () => ({}),
  (keyAt) => ({ keyColumn: (keyAt + 1) % 4, offerColumn: keyAt }),
  () => ({ header: true }),
  (keyAt) => ({ header: true, keyColumn: (keyAt + 2) % 4, offerColumn: keyAt }),
)

test('shows no key of any table, also with the wrong columns', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(comment, game, keyOf), { minLength: 2, maxLength: 25 }),
      delimiter,
      heads,
      order,
      forced,
      fc.constantFrom('keys.csv', 'keys.txt'),
      async (rows, mark, head, columns, force, name) => {
        const lines = rows.map(([note, title, key]) => {
          const row = { comment: note, game: title, key, qty: '1' }
          return columns.map((each) => row[each]).join(mark)
        })
        if (head !== null) lines.unshift(columns.map((each) => head[each]).join(mark))
        const { all } = await viewOf(
          folder.path,
          name,
          lines.join('\n'),
          force(columns.indexOf('key')),
        )
        for (const [, , key] of rows) expect(all).not.toContain(key)
      },
    ),
    { numRuns: 150 },
  )
})
