import fc from 'fast-check'
import { expect, test } from 'vitest'
import { platformShapes } from './platform-shapes.ts'
import { suspect } from './suspicious.ts'

const key = 'F8LQ2-7KX3M-99ZTR'

test.each([
  ['Steam CD Keys (30 pcs):', 'no-key', null],
  ['# batch of Monday', 'no-key', null],
  ['--- second half ---', 'no-key', null],
  ['Ключи для Steam', 'no-key', null],
  ['N/A', 'placeholder', null],
  ['n.a.', 'placeholder', null],
  ['-----', 'placeholder', null],
  ['sold out', 'placeholder', null],
  ['XXXXX-XXXXX-XXXXX', 'placeholder', null],
  ['00000000', 'placeholder', null],
  [`${key} used`, 'marked-used', key],
  [`${key} (eingelöst)`, 'marked-used', key],
  [`used;${key}`, 'marked-used', key],
  [`Hollow Tide 2 - ${key}`, 'text-beside-key', key],
  [`${key} // Anna`, 'text-beside-key', key],
  [`${key},EU`, 'text-beside-key', key],
  [`${key} 2026-11-23`, 'text-beside-key', key],
  ['Hollow Tide 2 - F8L-USED-7KX3-M99Z-TRQ2', 'text-beside-key', 'F8L-USED-7KX3-M99Z-TRQ2'],
  [`${key} PIN 4821`, 'code-beside-key', null],
  [`${key};PIN:12`, 'code-beside-key', null],
  [`${key} / 99812`, 'code-beside-key', null],
  [`${key} secret7`, 'code-beside-key', null],
  [`${key} PIN 4821 used`, 'code-beside-key', null],
])('sets %s aside', (text, suspicion, inside) => {
  expect(suspect(text)).toEqual({ key: inside ?? text, suspicion, unnumbered: false })
})

test.each([
  [`1. ${key}`, key],
  [`1.${key}`, key],
  [`#12 ${key}`, key],
  [`(3) ${key}`, key],
  [`- ${key}`, key],
  [`• ${key}`, key],
  [`Key: ${key}`, key],
  [`CD-Key 4: ${key}`, key],
  [`Steam key ${key}`, key],
  [`2) Code: ${key}`, key],
  ['7. 123456789012', '123456789012'],
])('removes the number or label of %s', (text, inside) => {
  expect(suspect(text)).toEqual({ key: inside, suspicion: null, unnumbered: true })
})

test.each([
  key,
  `${key} ${key.replace('F8', 'G9')}`,
  `${key}-`,
  'someone@example.net:correct horse',
  'someone@example.net:pass 1. F8LQ2-7KX3M-99ZTR',
  'https://example.net/redeem?key=F8LQ2-7KX3M-99ZTR used',
  'PROMO2024',
  'Schlüssel-äöü-1',
  'AAAAA BBBBB',
  'Voucher 123456 7890',
  '12345',
  'A1',
])('leaves %s as it is', (text) => {
  expect(suspect(text)).toEqual({ key: text, suspicion: null, unnumbered: false })
})

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const shaped = fc
  .constantFrom(...new Set(platformShapes.flatMap(({ shapes }) => shapes)))
  .chain((groups) =>
    fc
      .tuple(
        ...groups.split('-').map((length) =>
          fc.string({
            unit: fc.constantFrom(...letters),
            minLength: Number(length),
            maxLength: Number(length),
          }),
        ),
      )
      .map((parts) => parts.join('-')),
  )

const isKey = (text: string): boolean => !text.startsWith('X') && new Set(text).size > 1

test('never changes a key alone', () => {
  fc.assert(
    fc.property(shaped.filter(isKey), (one) => {
      expect(suspect(one)).toEqual({ key: one, suspicion: null, unnumbered: false })
    }),
    { numRuns: 1000 },
  )
})

test('never drops a PIN beside a key', () => {
  const grouped = shaped.filter((text) => isKey(text) && text.includes('-'))
  const pin = fc.integer({ min: 0, max: 999_999 }).map((code) => String(code).padStart(4, '0'))
  const between = fc.constantFrom(' ', ' PIN ', ';', ' / ', ',pin:')
  fc.assert(
    fc.property(grouped, between, pin, (one, separator, code) => {
      expect(suspect(`${one}${separator}${code}`).key).toContain(code)
    }),
    { numRuns: 1000 },
  )
})

test('never sends text around a key without asking', () => {
  const grouped = shaped.filter((text) => isKey(text) && text.includes('-'))
  fc.assert(
    fc.property(grouped, fc.constantFrom('Hollow Tide 2 - ', 'x, '), (one, before) => {
      expect(suspect(`${before}${one}`)).toMatchObject({ key: one, suspicion: 'text-beside-key' })
    }),
    { numRuns: 1000 },
  )
})
