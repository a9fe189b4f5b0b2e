import { expect, test } from 'vitest'
import benchParse from './parse.ts'

test('the benchmark of the parsers classifies every line of both files', async () => {
  const { lines, figures } = await benchParse({ log: () => {}, lines: 3000, inBrowser: false })
  expect(lines).toBe(3000)
  expect(Object.keys(figures)).toEqual([
    'txt check',
    'txt split',
    'csv check',
    'csv split',
    'csv papaparse',
  ])
}, 60_000)
