import { makeGif, makeJpeg, makePng } from '../make-picture.ts'
import { one } from './case.ts'
import type { CorpusCase } from './case.ts'

type Given = { name: string; bytes: Buffer }
const together = (
  name: string,
  parts: readonly Given[],
  expected: readonly string[],
): CorpusCase => ({
  name,
  files: [
    {
      name: 'scans',
      bytes: Buffer.concat(parts.map(({ bytes }) => bytes)),
      offerId: 'off_steam',
      pictures: parts.map((part) => ({ name: part.name, size: part.bytes.length })),
    },
  ],
  expected: [expected],
})

export const pictures: CorpusCase[] = [
  one('one picture is one key', 'card.png', makePng(800, 600), ['1 steam ready | card.png']),
  one('a picture named .txt', 'card.txt', makeGif(80, 60), ['1 steam ready | card.txt']),
  together(
    'pictures of a folder: valid, repeated, too many pixels, too many bytes, not a picture',
    [
      { name: '1.png', bytes: makePng(800, 600) },
      { name: '2.gif', bytes: makeGif(10, 10) },
      { name: '3.jpg', bytes: makeJpeg(4000, 3000) },
      { name: '4.png', bytes: makePng(800, 600) },
      { name: '5.png', bytes: makePng(40_000, 40_000) },
      { name: '6.png', bytes: makePng(800, 600, 512 * 1024 + 1) },
      { name: '7.png', bytes: Buffer.from('<svg onload="x()"/>') },
      { name: '8.png', bytes: Buffer.alloc(0) },
      { name: '9.png', bytes: makePng(0, 600) },
      { name: '10.png', bytes: makePng(800, 600, 512 * 1024, 9) },
    ],
    [
      '1 steam ready | 1.png',
      '2 steam ready | 2.gif',
      '3 steam ready | 3.jpg',
      '4 steam duplicate duplicate-in-file | 4.png',
      '5 steam refused picture-too-large | 5.png',
      '6 steam refused picture-too-large | 6.png',
      '7 steam refused no-picture | 7.png',
      '8 steam refused no-picture | 8.png',
      '9 steam refused no-picture | 9.png',
      '10 steam ready | 10.png',
    ],
  ),
]
