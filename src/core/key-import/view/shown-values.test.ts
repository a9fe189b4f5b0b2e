import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { FileSettings } from '../../../contract/keys/import-records.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { classifyFiles } from '../testing/classify-files.ts'
import { viewFile } from './file-view.ts'
import { shownValues, valueMeant } from './shown-values.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

/** Everything that the page receives about one file and its lines, as text. */
async function viewOf(
  name: string,
  text: string,
  fixed: Partial<FileSettings> = {},
): Promise<{ view: ReturnType<typeof viewFile>; all: string }> {
  const { files, problems } = await classifyFiles(folder.path, [
    { name, bytes: Buffer.from(text), offerId: null, fixed },
  ])
  const [file] = files
  const view = viewFile({
    row: {
      file_id: 'f0',
      import_number: 1,
      position: 0,
      name,
      size: text.length,
      received: text.length,
      state: 'checked',
      problem: null,
      offer_id: null,
      revision: 1,
      lines: file?.read?.lines ?? 0,
      choices: null,
      result: null,
    },
    received: text.length,
    result: file?.read == null ? null : { read: file.read, targets: file.targets },
    choices: null,
    offers: new Map(),
    offered: () => [],
  })
  return { view, all: JSON.stringify({ view, problems }) }
}

test('reads the columns of a table whose comments contain line breaks and commas', async () => {
  const keys = Array.from({ length: 20 }, (_, at) => `KRC9Z-GZ7FK-WB${100 + at}`)
  const text = [
    'comment,game,key,qty',
    ...keys.map((key) => `"thanks,\nJohn, Sales",MIRR-EU,${key},1`),
  ].join('\n')
  const { view, all } = await viewOf('quoted.csv', text)
  expect(view.columns).toEqual(['comment', 'game', 'key', 'qty'])
  expect(view.settings).toMatchObject({ keyColumn: 2, offerColumn: 1, header: true })
  expect(view.targets.map(({ value, lines }) => [value, lines])).toEqual([['MIRR-EU', 20]])
  for (const key of keys) expect(all).not.toContain(key)
})

test('masks the values of a table that is split by the wrong delimiter', async () => {
  const text = 'key,note\nABCDEFGHJ0001,"thanks,\nNight; Day"\nABCDEFGHJ0002,"a; b"\n'
  const { all } = await viewOf('keys.csv', text, { delimiter: ';', keyColumn: 1, offerColumn: 0 })
  expect(all).not.toMatch(/ABCDEFGHJ000[12]/)
})

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
        const { all } = await viewOf(name, lines.join('\n'), force(columns.indexOf('key')))
        for (const [, , key] of rows) expect(all).not.toContain(key)
      },
    ),
    { numRuns: 150 },
  )
})

test('masks what could be a key, keeps article numbers, and finds the value behind a mask', () => {
  const none = { offerId: null, by: 'none' as const }
  const keys = [
    { value: 'KRC9Z-GZ7FK-WBYTB', lines: 1, ...none },
    { value: 'KRC9Z-AAAAA-WBYTB', lines: 1, ...none },
  ]
  expect(shownValues(keys)).toEqual(['KRC9Z-•••••-••••• (1)', 'KRC9Z-•••••-••••• (2)'])
  expect(valueMeant(keys, 'KRC9Z-•••••-••••• (2)')).toBe('KRC9Z-AAAAA-WBYTB')
  expect(valueMeant(keys, null)).toBeNull()
  expect(valueMeant(keys, 'elsewhere')).toBe('elsewhere')
  const articles = [
    { value: 'HT2-DELUXE-2024', lines: 40, ...none },
    { value: 'MIRR-EU', lines: 60, ...none },
    { value: 'Ironwharf 3', lines: 1, offerId: 'off', by: 'name' as const },
    { value: 'GIFTCARD20EUR', lines: 1, ...none },
  ]
  expect(shownValues(articles)).toEqual([
    'HT2-DELUXE-2024',
    'MIRR-EU',
    'Ironwharf 3',
    'GIF•••••••• (4)',
  ])
})
