import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/context.ts'
import { corpus } from '../testing/corpus/corpus.ts'
import { makeWorkbook } from '../testing/make-workbook.ts'
import { classifyFiles } from '../testing/classify-files.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

test('has at least 150 files', () => {
  expect(corpus.reduce((sum, { files }) => sum + files.length, 0)).toBeGreaterThanOrEqual(150)
  expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length)
})

test.each(corpus)(
  '$name',
  async ({ files, uploaded = {}, sendsRepeats = false, expected, settings, refused }) => {
    const judged = await classifyFiles(folder.path, files, { uploaded, sendsRepeats })
    expect(judged.files.map(({ problem, lines }) => problem ?? lines)).toEqual(expected)
    if (settings !== undefined) expect(judged.files[0]?.read?.settings).toMatchObject(settings)
    if (refused !== undefined) expect(judged.refused).toBe(refused)
    // Every line has one outcome, and every ready line is planned exactly once.
    const { sums } = judged
    const lines = judged.files.flatMap((file) => file.lines)
    expect(sums.read).toBe(lines.length)
    expect(sums.read).toBe(
      sums.ready + sums.noOffer + sums.duplicate + sums.refused + sums.setAside,
    )
    expect(judged.sent.length).toBe(sums.ready)
    expect(judged.files.flatMap(({ problem }) => (problem === null ? [] : [problem]))).toEqual(
      expected.filter((each) => typeof each === 'string'),
    )
  },
)

test('shows no full key of any file before a person reveals it @long', async () => {
  let checked = 0
  for (const { files, uploaded = {}, sendsRepeats = false } of corpus) {
    const judged = await classifyFiles(folder.path, files, { uploaded, sendsRepeats })
    const shown = [...judged.files.map(({ view }) => view), JSON.stringify(judged.problems)].join()
    const keys = judged.files
      .filter(({ read }) => read?.kind !== 'pictures')
      .flatMap(({ lines }) => lines)
      .filter((line) => !/refused|placeholder/.test(line.slice(0, line.indexOf(' | '))))
      .map((line) => line.slice(line.indexOf(' | ') + 3))
      // A shorter text is also part of other words.
      .filter((key) => key.length >= 8)
    for (const key of keys) expect(shown).not.toContain(JSON.stringify(key).slice(1, -1))
    checked += keys.length
  }
  expect(checked).toBeGreaterThan(700)
})

test('gives up on a workbook that takes longer than a minute and still reads the other file', async () => {
  let now = 0
  const book = makeWorkbook([{ name: 'S', rows: [['AAAAA-BBBBB-00001']] }])
  const judged = await classifyFiles(
    folder.path,
    [
      { name: 'slow.xlsx', bytes: book, offerId: 'off_steam' },
      { name: 'good.txt', bytes: Buffer.from('AAAAA-BBBBB-00002'), offerId: 'off_steam' },
    ],
    { now: () => (now += 31_000) },
  )
  expect(judged.files.map(({ problem, lines }) => problem ?? lines)).toEqual([
    'WORKBOOK_TOO_SLOW',
    ['1 steam ready | AAAAA-BBBBB-00002'],
  ])
})
