import type { CorpusCase } from './case.ts'

const text = (name: string, lines: readonly string[], offerId: string | null = 'off_steam') => ({
  name,
  bytes: Buffer.from(lines.join('\n')),
  offerId,
})
const key = (number: number): string => `AAAAA-BBBBB-0000${number}`

export const repeats: CorpusCase[] = [
  {
    name: 'repeated in a file, once only after cleaning',
    files: [text('twice.txt', [key(1), key(2), key(1), ` "${key(2)}" `])],
    expected: [
      [
        `1 steam ready | ${key(1)}`,
        `2 steam ready | ${key(2)}`,
        `3 steam duplicate duplicate-in-file | ${key(1)}`,
        `4 steam duplicate duplicate-in-file+spaces-removed+quotes-removed | ${key(2)}`,
      ],
    ],
  },
  {
    name: 'the same letters in different case are two keys',
    files: [text('case.txt', ['AAAAA-BBBBB-CCCCC', 'aaaaa-bbbbb-ccccc'])],
    expected: [['1 steam ready | AAAAA-BBBBB-CCCCC', '2 steam ready | aaaaa-bbbbb-ccccc']],
  },
  {
    name: 'the first is kept across files with different encodings and offers',
    files: [
      text('first.txt', [key(1)]),
      {
        name: 'second.txt',
        bytes: Buffer.from(`\ufeff${key(1)}\r\n${key(2)}`, 'utf16le'),
        offerId: 'off_other',
      },
    ],
    expected: [
      [`1 steam ready | ${key(1)}`],
      [`1 other duplicate duplicate-across-files | ${key(1)}`, `2 other ready | ${key(2)}`],
    ],
  },
  {
    name: 'the first line with an offer is kept, not the first line',
    files: [text('none.txt', [key(1)], null), text('offer.txt', [key(1)])],
    expected: [[`1 no-offer | ${key(1)}`], [`1 steam ready | ${key(1)}`]],
  },
  {
    name: 'uploaded before for this product and for another',
    files: [text('again.txt', [key(1), key(2), key(3)])],
    uploaded: { 10442: [key(1)], 10871: [key(2)] },
    expected: [
      [
        `1 steam duplicate uploaded-before | ${key(1)}`,
        `2 steam duplicate on-another-offer | ${key(2)}`,
        `3 steam ready | ${key(3)}`,
      ],
    ],
  },
  {
    name: 'uploaded before for both products counts as uploaded for this one',
    files: [text('both.txt', [key(1)])],
    uploaded: { 10442: [key(1)], 10871: [key(1)] },
    expected: [[`1 steam duplicate uploaded-before | ${key(1)}`]],
  },
  {
    name: 'a key uploaded before is sent once if the user chooses so',
    files: [text('resend.txt', [key(1), key(1), key(2)])],
    uploaded: { 10442: [key(1)], 10871: [key(2)] },
    sendsRepeats: true,
    expected: [
      [
        `1 steam ready uploaded-before | ${key(1)}`,
        `2 steam duplicate duplicate-in-file | ${key(1)}`,
        `3 steam ready on-another-offer | ${key(2)}`,
      ],
    ],
  },
  {
    name: 'a rejected line doesn’t count as a first occurrence',
    files: [text('refused.txt', ['1.2E+15', '1.2E+15', key(1)])],
    expected: [
      [
        '1 steam refused spreadsheet-damage | 1.2E+15',
        '2 steam refused spreadsheet-damage | 1.2E+15',
        `3 steam ready | ${key(1)}`,
      ],
    ],
  },
]
