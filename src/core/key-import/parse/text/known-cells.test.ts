import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKnownCells } from './known-cells.ts'

const cell = fc.oneof(
  fc.constantFrom('off_a', 'off_b', 'off_', 'ffo_a', '', '10871', '18071', 'Größe'),
  fc.string({ maxLength: 12 }),
)

test('returns a cell’s number at any position and for no other cell, and stores no cells beyond the limit', () => {
  fc.assert(
    fc.property(
      fc.array(cell, { maxLength: 60 }),
      fc.integer({ min: 1, max: 40 }),
      (texts, most) => {
        const cells = createKnownCells(most)
        const expected = new Map<string, number>()
        for (const [number, text] of texts.entries()) {
          const around = Buffer.from(`${number};${text};${text}`)
          const from = String(number).length + 1
          const to = from + Buffer.byteLength(text)
          expect(cells.find(around, from, to)).toBe(expected.get(text) ?? -1)
          if (expected.has(text)) continue
          cells.add(around, from, to, number)
          if (expected.size < most) expected.set(text, number)
        }
      },
    ),
    { numRuns: 200 },
  )
})

test('stores long cells only up to the byte limit', () => {
  const cells = createKnownCells(5000)
  const long = (number: number): Buffer => Buffer.alloc(50_000, 65 + number)
  for (const number of [0, 1, 2]) cells.add(long(number), 0, 50_000, number)
  expect([0, 1, 2].map((number) => cells.find(long(number), 0, 50_000))).toEqual([0, 1, -1])
})
