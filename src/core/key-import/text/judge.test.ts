import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clean, judge, MAX_KEY_LENGTH } from './judge.ts'
import { shapesOf, usualShapes } from './shapes.ts'
import { platformShapes } from './platform-shapes.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 60 })

test.each([
  ['AAAAA-BBBBB-CCCCC', 'AAAAA-BBBBB-CCCCC', false, null],
  ['  AAAAA-BBBBB-CCCCC\t', 'AAAAA-BBBBB-CCCCC', true, null],
  ['\ufeffAAAAA-BBBBB', 'AAAAA-BBBBB', true, null],
  ['AAAAA-\u200bBBBBB', 'AAAAA-BBBBB', true, null],
  ['\u00a0AAAAA BBBBB\u3000', 'AAAAA BBBBB', true, null],
  ['"AAAAA-BBBBB"', 'AAAAA-BBBBB', true, null],
  ['“ \'AAAAA\' ”', 'AAAAA', true, null],
  ['a@b.example:pa"ss"', 'a@b.example:pa"ss"', false, null],
  ['AAAAA\u2028BBBBB', 'AAAAA\u2028BBBBB', false, null],
  ['', '', false, 'blank'],
  ['\u00a0\u200b ', '', false, 'blank'],
  ['""', '', false, 'blank'],
  ['A\u0007B', 'A\u0007B', false, 'control-characters'],
  ['A\tB', 'A\tB', false, 'control-characters'],
  ['A\u0085', 'A\u0085', false, 'control-characters'],
  ['1.23E+15', '1.23E+15', false, 'spreadsheet-damage'],
  ['4,8e+14', '4,8e+14', false, 'spreadsheet-damage'],
  ['########', '########', false, 'spreadsheet-damage'],
  ['#N/A', '#N/A', false, 'spreadsheet-damage'],
  ['#NAME?', '#NAME?', false, 'spreadsheet-damage'],
  ['1E15', '1E15', false, null],
  ['x'.repeat(MAX_KEY_LENGTH), 'x'.repeat(MAX_KEY_LENGTH), false, null],
  ['x'.repeat(MAX_KEY_LENGTH + 1), 'x'.repeat(MAX_KEY_LENGTH + 1), false, 'too-long'],
])('%j is judged', (text, key, cleaned, refusal) => {
  expect(judge(text)).toEqual({ key, cleaned, refusal })
})

test('never throws; what it cleaned it leaves alone the second time; what is sent has nothing around it', () => {
  fc.assert(fc.property(fc.oneof(anyText, anyText.map((text) => ` "${text}"\ufeff`)), (text) => {
    const { key, refusal } = judge(text)
    expect(clean(key)).toBe(key)
    expect(judge(key)).toEqual({ key, cleaned: false, refusal })
    if (refusal === null) {
      expect(key).not.toBe('')
      expect(key.trim()).toBe(key)
      expect(key.length).toBeLessThanOrEqual(MAX_KEY_LENGTH)
      // oxlint-disable-next-line no-control-regex
      expect(key).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
    }
  }), { numRuns: 500 })
})

test('every shape of the table is usual on its platform, in any case, and no longer so with one character more', () => {
  for (const { platforms, shapes } of platformShapes) {
    for (const platform of platforms) {
      const usual = usualShapes(platform.toUpperCase()) ?? 0
      for (const shape of shapes) {
        const key = shape.split('-').map((length) => 'a1B2c'.repeat(6).slice(0, Number(length))).join('-')
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
