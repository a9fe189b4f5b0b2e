import { existsSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/context.ts'
import { bits } from '../spool/checked-lines.ts'
import { writeCheckedFile } from '../testing/checked-file.ts'
import type { LineGiven } from '../testing/checked-file.ts'
import { classifyLines, outcomes, reasonsOf } from './classify-lines.ts'
import type { ClassifyTarget, ClassifyTask, FileToClassify, Repeat } from './classify-lines.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const shapes = { steam: 2, gog: 4 }
const steam = { platform: 'Steam', shapes: ['5-5-5'] }
const gog = { platform: 'GOG', shapes: ['18'] }
/** Where lines with the targets 0 to 3 go: to three offers, and to none. */
const targets: readonly ClassifyTarget[] = [
  { offer: 0, usualShapes: null, usual: null },
  { offer: 1, usualShapes: shapes.steam, usual: steam },
  { offer: 2, usualShapes: shapes.gog, usual: gog },
  { offer: -1, usualShapes: null, usual: null },
]
type FileGiven = { lines: readonly (LineGiven | string)[]; digitsLength?: number }

/** Classifies files, and returns the outcome and reasons of each line as text. */
function classified(given: readonly FileGiven[], some: Partial<ClassifyTask> = {}) {
  const files = given.map(({ lines, digitsLength = null }, position): FileToClassify => ({
    name: `${position}.txt`,
    checked: writeCheckedFile(
      folder.path,
      `${position}.checked`,
      lines.map((line) => (typeof line === 'string' ? { text: line } : line)),
    ),
    outcomes: join(folder.path, `${position}.outcomes`),
    targets,
    digitsLength,
    included: 0,
  }))
  const total = given.reduce((sum, { lines }) => sum + lines.length, 0)
  const result = classifyLines({
    files,
    total,
    uploadedBefore: null,
    sendsRepeats: false,
    ...some,
  })
  const byFile = given.map((file, position) =>
    [...readFileSync(join(folder.path, `${position}.outcomes`))].map((verdict, index) => {
      const line = file.lines[index]
      const found = typeof line === 'string' ? 0 : (line?.bits ?? 0)
      return [outcomes[verdict & 3], ...reasonsOf(found, verdict)].join(' ')
    }),
  )
  return { ...result, byFile, lines: byFile.flat() }
}
const line = (text: string, some: Partial<LineGiven> = {}): LineGiven => ({ text, ...some })
const uploads =
  (repeats: readonly [number, Repeat][]): ClassifyTask['uploadedBefore'] =>
  () =>
    new Map(repeats)

describe('a line', () => {
  test('is ready, and goes to its offer', () => {
    const { lines, sums, perOffer } = classified([
      { lines: ['K-1', line('K-2', { target: 2, shapes: shapes.gog }), 'K-3'] },
    ])
    expect(lines).toEqual(['ready', 'ready', 'ready'])
    expect(sums).toMatchObject({
      read: 3,
      ready: 3,
      noOffer: 0,
      duplicate: 0,
      refused: 0,
      setAside: 0,
      cleaned: 0,
      warned: 0,
    })
    expect([...perOffer]).toEqual([
      [0, 2],
      [2, 1],
    ])
  })
  test('needs an offer', () => {
    const { lines, sums } = classified([
      { lines: [line('K-1', { target: 3 }), line('K-2', { target: 9 }), 'K-3'] },
    ])
    expect(lines).toEqual(['no-offer no-offer', 'no-offer no-offer', 'ready'])
    expect(sums).toMatchObject({ read: 3, ready: 1, noOffer: 2 })
  })
  test.each([
    'blank',
    'too-long',
    'control-characters',
    'invalid-encoding',
    'spreadsheet-damage',
    'missing-column',
    'no-picture',
    'picture-too-large',
  ] as const)('is rejected for %s, with or without an offer', (reason) => {
    const { lines, sums } = classified([
      {
        lines: [
          line('K-1', { bits: bits[reason] }),
          line('K-1', { bits: bits[reason] | bits['spaces-removed'], target: 3 }),
        ],
      },
    ])
    expect(lines).toEqual([`refused ${reason}`, `refused ${reason} spaces-removed`])
    expect(sums).toMatchObject({ read: 2, refused: 2, setAside: 0, cleaned: 0, warned: 0 })
  })
  test.each([
    ['spaces-removed', 'cleaned'],
    ['invisible-removed', 'cleaned'],
    ['quotes-removed', 'cleaned'],
    ['confusable', 'warned'],
    ['looks-like-date', 'warned'],
  ] as const)('is ready although %s, and counted as %s', (reason, sum) => {
    const { lines, sums, problems } = classified([{ lines: [line('K-1', { bits: bits[reason] })] }])
    expect(lines).toEqual([`ready ${reason}`])
    expect(sums).toMatchObject({ ready: 1, cleaned: 0, warned: 0, [sum]: 1 })
    expect(problems).toMatchObject([{ reason, fate: 'ready', count: 1 }])
  })
})

describe('equal keys', () => {
  test('are ready once, and name where the first one is', () => {
    const { byFile, sums } = classified([
      { lines: ['K-1', 'K-1', 'K-2'] },
      { lines: ['K-2', 'K-3', line('K-3', { target: 1 })] },
    ])
    expect(byFile).toEqual([
      ['ready', 'duplicate duplicate-in-file', 'ready'],
      ['duplicate duplicate-across-files', 'ready', 'duplicate duplicate-in-file'],
    ])
    expect(sums).toMatchObject({ read: 6, ready: 3, duplicate: 3 })
  })
  test('count only from the first line that can be sent', () => {
    const { lines } = classified([
      { lines: [line('K-1', { target: 3 }), line('K-1', { bits: bits.blank }), 'K-1', 'K-1'] },
    ])
    expect(lines).toEqual([
      'no-offer no-offer',
      'refused blank',
      'ready',
      'duplicate duplicate-in-file',
    ])
  })
  test('are recognized by all 16 bytes of their fingerprints', () => {
    const prints: (readonly [number, number, number, number])[] = [
      [1, 2, 3, 4],
      [9, 2, 3, 4],
      [1, 9, 3, 4],
      [1, 2, 9, 4],
      [1, 2, 3, 9],
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
    ]
    const lines = prints.map((print, index) => line(`K-${index}`, { print }))
    const found = classified([{ lines: [...lines, ...lines] }])
    expect(found.sums).toMatchObject({ ready: 9, duplicate: 9 })
    expect(found.lines.slice(9)).toEqual(prints.map(() => 'duplicate duplicate-in-file'))
  })
  test('are recognized among many whose fingerprints start alike', () => {
    const same = Array.from({ length: 100 }, (_, index) =>
      line(`K-${index}`, { print: [4096 * index + 1023, index, 7, 7] }),
    )
    const { sums } = classified([{ lines: [...same, ...same] }])
    expect(sums).toMatchObject({ ready: 100, duplicate: 100 })
  })
})

describe('keys uploaded before', () => {
  const repeats: [number, Repeat][] = [
    [0, 'uploaded-before'],
    [1, 'on-another-offer'],
  ]
  test('are duplicates', () => {
    const { lines, sums } = classified([{ lines: ['K-1', 'K-2', 'K-3'] }], {
      uploadedBefore: uploads(repeats),
    })
    expect(lines).toEqual(['duplicate uploaded-before', 'duplicate on-another-offer', 'ready'])
    expect(sums).toMatchObject({ ready: 1, duplicate: 2, warned: 0 })
  })
  test('are ready with a warning if they are sent anyway, but only once', () => {
    const sent: [number, boolean][] = []
    const { lines, sums } = classified([{ lines: ['K-1', 'K-2', 'K-3', 'K-1'] }], {
      uploadedBefore: uploads([...repeats, [3, 'uploaded-before']]),
      sendsRepeats: true,
      ready: (_file, _block, index, _offer, suspected) => sent.push([index, suspected]),
    })
    expect(lines).toEqual([
      'ready uploaded-before',
      'ready on-another-offer',
      'ready',
      'duplicate duplicate-in-file',
    ])
    expect(sums).toMatchObject({ ready: 3, duplicate: 1, warned: 2 })
    expect(sent).toEqual([
      [0, true],
      [1, true],
      [2, false],
    ])
  })
  test('are looked up only for lines that can be sent', () => {
    const asked: unknown[] = []
    classified(
      [
        {
          lines: [
            line('K-1', { target: 3 }),
            line('K-2', { bits: bits.blank }),
            line('K-3', { target: 1, bits: bits.confusable }),
            line('K-4', { target: 9 }),
            'K-5',
          ],
        },
      ],
      { uploadedBefore: (_block, candidates) => (asked.push(...candidates), new Map()) },
    )
    expect(asked).toEqual([
      { index: 2, offer: 1 },
      { index: 4, offer: 0 },
    ])
  })
})

describe('a ready key', () => {
  test('gets a warning for an unusual shape on its platform', () => {
    const { lines, sums, problems } = classified([
      {
        lines: [
          line('usual', { target: 1, shapes: shapes.steam }),
          line('one of several', { target: 1, shapes: shapes.steam | shapes.gog }),
          line('unusual', { target: 1, shapes: shapes.gog }),
          line('unusual too', { target: 2, shapes: shapes.steam }),
          line('any', { target: 0, shapes: 0 }),
        ],
      },
    ])
    expect(lines).toEqual(['ready', 'ready', 'ready unusual-shape', 'ready unusual-shape', 'ready'])
    expect(sums).toMatchObject({ ready: 5, warned: 2, cleaned: 0 })
    expect(problems.map(({ reason, usual, count }) => ({ reason, usual, count }))).toEqual([
      { reason: 'unusual-shape', usual: steam, count: 1 },
      { reason: 'unusual-shape', usual: gog, count: 1 },
    ])
  })
  test.each([
    ['1234567890', 'ready'],
    ['123456789', 'ready leading-zero-lost'],
    ['1234567', 'ready leading-zero-lost'],
    ['123456', 'ready'],
    ['12345678901', 'ready'],
  ])('of digits gets a warning if up to 3 of 10 are missing: %s is %s', (text, expected) => {
    const digits = { lines: [line(text, { bits: bits.digits })] }
    expect(classified([{ ...digits, digitsLength: 10 }]).lines).toEqual([expected])
    expect(classified([digits]).lines, 'in a file without a usual length').toEqual(['ready'])
    expect(classified([{ lines: [text], digitsLength: 10 }]).lines, 'not only digits').toEqual([
      'ready',
    ])
  })
  test('can have several warnings', () => {
    const { lines, sums } = classified([
      {
        lines: [line('123', { target: 1, bits: bits.digits | bits['quotes-removed'] })],
        digitsLength: 4,
      },
    ])
    expect(lines).toEqual(['ready quotes-removed unusual-shape leading-zero-lost'])
    expect(sums).toMatchObject({ cleaned: 1, warned: 1 })
  })
})

describe('problems', () => {
  const damaged = line('1.23E+15', { bits: bits['spreadsheet-damage'] })
  test('are sorted by outcome, then by how many lines have them', () => {
    const { problems } = classified([
      {
        lines: [
          line('K-1', { bits: bits.confusable }),
          'K-1',
          line('K-2', { target: 3 }),
          line('', { bits: bits.blank }),
          damaged,
          damaged,
        ],
      },
    ])
    expect(problems.map(({ reason, fate, count }) => `${fate} ${reason} ${count}`)).toEqual([
      'refused spreadsheet-damage 2',
      'refused blank 1',
      'no-offer no-offer 1',
      'duplicate duplicate-in-file 1',
      'ready confusable 1',
    ])
  })
  test('have up to three examples with file and line', () => {
    const long = line('AAAAA-BBBBB-CCCCC', { target: 1, bits: bits['too-long'] })
    const { problems } = classified([{ lines: ['K-1', long] }, { lines: [long, long, long] }])
    expect(problems).toEqual([
      {
        reason: 'too-long',
        fate: 'refused',
        usual: null,
        isIncluded: false,
        count: 4,
        examples: [
          { file: '0.txt', line: 2, shown: 'AAAAA-•••••-•••••' },
          { file: '1.txt', line: 1, shown: 'AAAAA-•••••-•••••' },
          { file: '1.txt', line: 2, shown: 'AAAAA-•••••-•••••' },
        ],
      },
    ])
  })
  test.each([
    ['spreadsheet-damage', '1.23E+15-AAA-BBB'],
    ['no-picture', 'AAAAA-BBBBB-CCCCC.txt'],
    ['picture-too-large', 'AAAAA-BBBBB-CCCCC.png'],
  ] as const)('show the text of %s unmasked', (reason, text) => {
    const { problems } = classified([{ lines: [line(text, { bits: bits[reason] })] }])
    expect(problems[0]?.examples[0]?.shown).toBe(text)
  })
})

describe('the file of outcomes', () => {
  const path = join(folder.path, 'kept.outcomes')
  const classify = (checked: FileToClassify['checked'], kept: string | null) =>
    classifyLines({
      files: [{ name: 'a', checked, outcomes: kept, targets, digitsLength: null, included: 0 }],
      total: 2,
      uploadedBefore: null,
      sendsRepeats: false,
    })

  test('has one byte per line, and is replaced only when all lines were read', () => {
    const checked = writeCheckedFile(folder.path, 'kept.checked', [line('K-1'), line('K-1')])
    classify(checked, path)
    expect([...readFileSync(path)]).toEqual([0, 6])
    const blank = { bits: bits.blank }
    const other = writeCheckedFile(folder.path, 'other.checked', [line('', blank)])
    const wrongKey = { ...other, key: checked.key }
    expect(() => classify(wrongKey, path)).toThrow('authenticate')
    expect([...readFileSync(path)]).toEqual([0, 6])
    classify(other, path)
    expect([...readFileSync(path)]).toEqual([3])
    expect(existsSync(`${path}.new`)).toBe(false)
  })
  test('is left out on request', () => {
    const checked = writeCheckedFile(folder.path, 'none.checked', [line('K-1')])
    expect(classify(checked, null).sums.ready).toBe(1)
    truncateSync(checked.path, 0)
    expect(classify(checked, null).sums.read).toBe(0)
  })
})

test('recognizes equal keys in different blocks', () => {
  const lines = Array.from({ length: 9000 }, (_, index) => `K-${index % 4500}`)
  const { sums, lines: found } = classified([{ lines }])
  expect(sums).toMatchObject({ read: 9000, ready: 4500, duplicate: 4500 })
  expect(found.indexOf('duplicate duplicate-in-file')).toBe(4500)
})
