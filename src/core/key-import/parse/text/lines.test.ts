import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEncodingProbe, decodeLine } from './encoding.ts'
import { createLineSplitter, MAX_LINE_BYTES } from './line-splitter.ts'
import type { TextEncodingName } from './line-splitter.ts'
import { createRecordReader, fieldsOf } from './records.ts'
import type { TableRecord } from './records.ts'

type Line = { text: string | null; offset: number; length: number }

function linesOf(bytes: Buffer, encoding: TextEncodingName, cuts: readonly number[] = []): Line[] {
  const lines: Line[] = []
  const splitter = createLineSplitter(encoding, 0, (held, start, end, offset, length) =>
    lines.push({
      text: length > end - start ? null : decodeLine(held, start, end, encoding),
      offset,
      length,
    }),
  )
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b)
  let from = 0
  for (const to of [...places, bytes.length]) {
    splitter.push(Buffer.from(bytes.subarray(from, to)))
    from = to
  }
  splitter.end()
  return lines
}
/**
 * The rule in one line: CR LF, LF or CR ends a line; text after the last line ending is a line if
 * it isn't empty.
 */
const expected = (text: string): string[] => {
  const lines = text.split(/\r\n|\n|\r/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
const encode = (text: string, encoding: TextEncodingName): Buffer => {
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le')
  return encoding === 'utf-16be' ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, 'utf8')
}
const texts = fc
  .array(
    fc.constantFrom('A', 'bc', '\n', '\r', '\r\n', '\u2028', 'é', '漢', '\u0a0d', '\u0d0a', ' '),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''))

test('returns the same lines for any chunks, with their positions', () => {
  fc.assert(
    fc.property(
      texts,
      fc.constantFrom('utf-8' as const, 'utf-16le' as const, 'utf-16be' as const),
      fc.array(fc.nat(), { maxLength: 12 }),
      (text, encoding, cuts) => {
        const bytes = encode(text, encoding)
        const lines = linesOf(bytes, encoding, cuts)
        expect(lines.map((line) => line.text)).toEqual(expected(text))
        for (const { text: line, offset, length } of lines)
          expect(decodeLine(bytes, offset, offset + length, encoding)).toBe(line)
      },
    ),
    { numRuns: 500 },
  )
})

test('reports a line of 200 MB as too long without holding it, and reads the lines around it', () => {
  const lines: Line[] = []
  const splitter = createLineSplitter('utf-8', 0, (_bytes, start, end, offset, length) =>
    lines.push({ text: `${end - start}`, offset, length }),
  )
  splitter.push(Buffer.from('before\n'))
  const block = Buffer.alloc(1 << 20, 0x41)
  const before = process.memoryUsage().arrayBuffers
  for (let count = 0; count < 200; count++) splitter.push(block)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 << 20)
  splitter.push(Buffer.from('\nafter'))
  splitter.end()
  expect(lines).toEqual([
    { text: '6', offset: 0, length: 6 },
    { text: `${MAX_LINE_BYTES}`, offset: 7, length: 200 << 20 },
    { text: '5', offset: 8 + (200 << 20), length: 5 },
  ])
})

test.each([
  ['utf-8', Buffer.from('schlüssel\nclé'), 0],
  ['utf-8', Buffer.from('\ufeffkey'), 3],
  ['utf-8', Buffer.concat([Buffer.from('schlüssel\nüber\nclé\n'), Buffer.of(0xff)]), 0],
  ['windows-1252', Buffer.from('schlüssel\nclé', 'latin1'), 0],
  ['utf-16le', Buffer.from('\ufeffAAAAA\n', 'utf16le'), 2],
  ['utf-16le', Buffer.from('AAAAA-BBBBB\nCCCCC', 'utf16le'), 0],
  ['utf-16be', Buffer.from('AAAAA-BBBBB\nCCCCC', 'utf16le').swap16(), 0],
] as const)('detects %s', (encoding, bytes, mark) => {
  for (const size of [1, 3, 1000]) {
    const probe = createEncodingProbe()
    // The pattern of zeros needs more than a few bytes; real chunks have a million.
    const first = Math.max(size, encoding.startsWith('utf-16') || mark > 0 ? 12 : size)
    probe.push(Buffer.from(bytes.subarray(0, first)))
    for (let at = first; at < bytes.length; at += size)
      probe.push(Buffer.from(bytes.subarray(at, at + size)))
    expect(probe.found()).toEqual({ encoding, mark })
  }
})

function recordsOf(lines: readonly string[]): TableRecord[] {
  const records: TableRecord[] = []
  const reader = createRecordReader(',', (record) => records.push(record))
  let offset = 0
  for (const [index, text] of lines.entries()) {
    reader.push({ text, line: index + 1, offset, length: text.length, unclosed: false })
    offset += text.length + 1
  }
  reader.end()
  return records
}

test('keeps quoted line endings in their field and the file’s line numbers', () => {
  const cells = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', ' ', 'é'), maxLength: 6 })
  fc.assert(
    fc.property(fc.array(fc.tuple(cells, cells), { minLength: 1, maxLength: 8 }), (rows) => {
      const quoted = rows.map((row) =>
        row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','),
      )
      const records = recordsOf(quoted.join('\n').split('\n'))
      expect(records.map(({ text }) => fieldsOf(text ?? '', ','))).toEqual(rows)
      let line = 1
      for (const [index, record] of records.entries()) {
        expect(record.line).toBe(line)
        line += (quoted[index] ?? '').split('\n').length
      }
    }),
    { numRuns: 300 },
  )
})

test('limits the effect of an unclosed quote to its own line', () => {
  const lines = [
    'AAAAA,off_1',
    '"BBBBB,off_1',
    ...Array.from({ length: 250 }, (_, index) => `CCCCC-${index},off_1`),
  ]
  const records = recordsOf(lines)
  expect(records).toHaveLength(lines.length)
  expect(records.filter(({ unclosed }) => unclosed).map(({ line }) => line)).toEqual([2])
  expect(recordsOf(['5" disk,off_1', 'DDDDD,off_1']).map(({ unclosed }) => unclosed)).toEqual([
    false,
    false,
  ])
})
