import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../testing/context.ts'
import { corpus } from './testing/corpus/corpus.ts'
import { judgeFiles } from './testing/judge-files.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

test('the corpus has sixty files and more', () => {
  expect(corpus.reduce((sum, { files }) => sum + files.length, 0)).toBeGreaterThanOrEqual(60)
  expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length)
})

test.each(corpus)('$name', async ({ files, uploaded = {}, sendsRepeats = false, expected, settings, refused }) => {
  const judged = await judgeFiles(folder.path, files, { uploaded, sendsRepeats })
  expect(judged.files.map(({ problem, lines }) => problem ?? lines)).toEqual(expected)
  if (settings !== undefined) expect(judged.files[0]?.read?.settings).toMatchObject(settings)
  if (refused !== undefined) expect(judged.refused).toBe(refused)
  // Every line has one fate, every ready one is planned exactly once.
  const { sums } = judged
  const lines = judged.files.flatMap((file) => file.lines)
  expect(sums.read).toBe(lines.length)
  expect(sums.read).toBe(sums.ready + sums.noOffer + sums.duplicate + sums.refused)
  expect(judged.sent.length).toBe(sums.ready)
  expect(judged.files.flatMap(({ problem }) => (problem === null ? [] : [problem]))).toEqual(expected.filter((each) => typeof each === 'string'))
})
