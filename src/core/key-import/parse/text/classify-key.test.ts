import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clean, classifyKey, MAX_KEY_LENGTH } from './classify-key.ts'
import { shapesOf, usualShapes } from './shapes.ts'
import { platformShapes } from './platform-shapes.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 60 })

test.each([
  ['AAAAA-BBBBB-CCCCC', 'AAAAA-BBBBB-CCCCC', [], null, null],
  ['  AAAAA-BBBBB-CCCCC\t', 'AAAAA-BBBBB-CCCCC', ['spaces-removed'], null, null],
  ['\ufeffAAAAA-BBBBB', 'AAAAA-BBBBB', ['invisible-removed'], null, null],
  ['AAAAA-\u200bBBBBB', 'AAAAA-BBBBB', ['invisible-removed'], null, null],
  ['\u00a0AAAAA BBBBB\u3000', 'AAAAA BBBBB', ['spaces-removed'], null, null],
  ['AAAAA\u00a0BBBBB', 'AAAAA BBBBB', ['spaces-removed'], null, null],
  ['"AAAAA-BBBBB"', 'AAAAA-BBBBB', ['quotes-removed'], null, null],
  ["“ 'AAAAA' ”", 'AAAAA', ['spaces-removed', 'quotes-removed'], null, null],
  ['="0012345"', '0012345', ['quotes-removed'], null, null],
  ['a@b.example:pa"ss"', 'a@b.example:pa"ss"', [], null, null],
  ['AAAAA\u2028BBBBB', 'AAAAA\u2028BBBBB', [], null, null],
  ['', '', [], null, 'blank'],
  ['\u00a0\u200b ', '', [], null, 'blank'],
  ['""', '', [], null, 'blank'],
  ['A\u0007B', 'A\u0007B', [], null, 'control-characters'],
  ['A\tB', 'A\tB', [], null, 'control-characters'],
  ['A\u0085', 'A\u0085', [], null, 'control-characters'],
  ['1.23E+15', '1.23E+15', [], null, 'spreadsheet-damage'],
  ['4,8e+14', '4,8e+14', [], null, 'spreadsheet-damage'],
  ['########', '########', [], null, 'spreadsheet-error'],
  ['#N/A', '#N/A', [], null, 'spreadsheet-error'],
  ['#NAME?', '#NAME?', [], null, 'spreadsheet-error'],
  ['1E15', '1E15', [], null, null],
  ['3-Dec', '3-Dec', [], 'looks-like-date', null],
  ['MAR-05', 'MAR-05', [], 'looks-like-date', null],
  ['2024-03-01 00:00:00', '2024-03-01 00:00:00', [], 'looks-like-date', null],
  ['01/12/2024', '01/12/2024', [], 'looks-like-date', null],
  ['MARCO-DECAF-JUNIO', 'MARCO-DECAF-JUNIO', [], null, null],
  ['ААААА-BBBBB-CCCCC', 'ААААА-BBBBB-CCCCC', [], 'confusable', null],
  ['AAAAA–BBBBB–CCCCC', 'AAAAA–BBBBB–CCCCC', [], 'confusable', null],
  ['ＡＢＣＤＥ12345', 'ＡＢＣＤＥ12345', [], 'confusable', null],
  ['someone@example.net:pаss', 'someone@example.net:pаss', [], null, null],
  ['schlüssel-übrig', 'schlüssel-übrig', [], null, null],
  ['x'.repeat(MAX_KEY_LENGTH), 'x'.repeat(MAX_KEY_LENGTH), [], null, null],
  ['x'.repeat(MAX_KEY_LENGTH + 1), 'x'.repeat(MAX_KEY_LENGTH + 1), [], null, 'too-long'],
])('classifies %j', (text, key, cleaned, doubt, refusal) => {
  expect(classifyKey(text)).toEqual({ key, cleaned, doubt, refusal })
})

test('never throws, changes nothing when cleaning again, and leaves nothing around the key', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText,
        anyText.map((text) => ` "${text}"\ufeff`),
      ),
      (text) => {
        const { key, doubt, refusal } = classifyKey(text)
        expect(clean(key)).toBe(key)
        expect(classifyKey(key)).toEqual({ key, cleaned: [], doubt, refusal })
        if (refusal === null) {
          expect(key).not.toBe('')
          expect(key.trim()).toBe(key)
          expect(key.length).toBeLessThanOrEqual(MAX_KEY_LENGTH)
          // oxlint-disable-next-line no-control-regex
          expect(key).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('recognizes every shape of the table in any case, but not with an additional character', () => {
  for (const { platforms, shapes } of platformShapes) {
    for (const platform of platforms) {
      const usual = usualShapes(platform.toUpperCase()) ?? 0
      for (const shape of shapes) {
        const key = shape
          .split('-')
          .map((length) => 'a1B2c'.repeat(6).slice(0, Number(length)))
          .join('-')
        expect(shapesOf(key) & usual, `${platform} ${key}`).not.toBe(0)
        expect(shapesOf(`${key}-`) & usual).toBe(0)
        expect(shapesOf(`-${key}`) & usual).toBe(0)
      }
      expect(shapesOf('someone@example.net:secret') & usual).not.toBe(0)
    }
  }
  expect(usualShapes('Some new platform')).toBeNull()
  expect(shapesOf('AAAA-BBBB-CCCC') & (usualShapes('Steam') ?? 0)).toBe(0)
})
