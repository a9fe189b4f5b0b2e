import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../../testing/context.ts'
import { classifyFiles } from '../../testing/classify-files.ts'
import { classifyKey } from './classify-key.ts'
import { platformShapes } from './platform-shapes.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const letters = (alphabet: string, length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length })
const shape = fc.constantFrom(...new Set(platformShapes.flatMap(({ shapes }) => shapes)))
const alphabet = fc.constantFrom(
  '0123456789',
  'ABCDEFGHJKLMNPQRSTUVWXYZ23456789',
  'MARCHDEmay01',
  'E123',
)
const shaped = fc
  .tuple(shape, alphabet)
  .chain(([groups, from]) =>
    fc
      .tuple(...groups.split('-').map((length) => letters(from, Number(length))))
      .map((parts) => parts.join('-')),
  )

test('recognizes only keys that classifying wouldn’t change or flag', () => {
  fc.assert(
    fc.property(shaped, (key) => {
      expect(classifyKey(key)).toEqual({ key, cleaned: [], doubt: null, refusal: null })
    }),
    { numRuns: 2000 },
  )
})

const odd = fc.constantFrom(
  '',
  ' ',
  '2024-01-09',
  '3-Dec',
  '1.23E+15',
  'АAAAA-BBBBB-CCCCC',
  'someone@example.net:secret',
  'https://example.net/redeem',
  'AAAAA-BBBBB',
  '#N/A',
  'AAAAA-BBBBB-CCCCC-',
  'ÄAAAA-BBBBB-CCCCC',
  '001234567890',
  '1234567890',
)
const anyKey = fc.oneof({ weight: 3, arbitrary: shaped }, { weight: 1, arbitrary: odd })
const offer = fc.constantFrom(
  'off_steam',
  '10871',
  'Cinderkeep',
  ' off_psn ',
  'off_steam ',
  'Größe',
  '',
  'nothing known',
)

/** The outcome of each line, independent of the file's format and encoding. */
const verdicts = async (name: string, bytes: Buffer): Promise<unknown> => {
  const { files, sums, sent } = await classifyFiles(folder.path, [
    {
      name,
      bytes,
      offerId: name.endsWith('.txt') ? 'off_steam' : null,
      fixed: name.endsWith('.txt')
        ? { form: 'lines', header: false }
        : { form: 'table', delimiter: ';', header: true, keyColumn: 1, offerColumn: 0 },
    },
  ])
  return {
    lines: files[0]?.lines,
    targets: files[0]?.read?.targets,
    digits: files[0]?.read?.digitsLength,
    sums,
    sent,
  }
}

test('classifies a line the same as bytes and as text: UTF-8 and UTF-16, tables with and without quotes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(offer, anyKey), { minLength: 300, maxLength: 300 }),
      async (rows) => {
        const text = rows.map(([, key]) => `${key}\r\n`).join('')
        expect(await verdicts('keys.txt', Buffer.from(text))).toEqual(
          await verdicts('keys.txt', Buffer.from(`\ufeff${text}`, 'utf16le')),
        )
        const plain = ['offer;key', ...rows.map(([name, key]) => `${name};${key}`)].join('\n')
        const quoted = ['"offer";"key"', ...rows.map(([name, key]) => `"${name}";"${key}"`)].join(
          '\n',
        )
        expect(await verdicts('keys.csv', Buffer.from(plain))).toEqual(
          await verdicts('keys.csv', Buffer.from(quoted)),
        )
      },
    ),
    { numRuns: 2, endOnFailure: true },
  )
})
