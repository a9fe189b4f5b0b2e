import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/context.ts'
import { viewOf } from '../testing/viewed-file.ts'
import { shownValues, valueMeant } from './shown-values.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

test('reads the columns of a table whose comments contain line breaks and commas', async () => {
  const keys = Array.from({ length: 20 }, (_, at) => `KRC9Z-GZ7FK-WB${100 + at}`)
  const text = [
    'comment,game,key,qty',
    ...keys.map((key) => `"thanks,\nJohn, Sales",MIRR-EU,${key},1`),
  ].join('\n')
  const { view, all } = await viewOf(folder.path, 'quoted.csv', text)
  expect(view.columns).toEqual(['comment', 'game', 'key', 'qty'])
  expect(view.settings).toMatchObject({ keyColumn: 2, offerColumn: 1, header: true })
  expect(view.targets.map(({ value, lines }) => [value, lines])).toEqual([['MIRR-EU', 20]])
  for (const key of keys) expect(all).not.toContain(key)
})

test('masks the values of a table that is split by the wrong delimiter', async () => {
  const text = 'key,note\nABCDEFGHJ0001,"thanks,\nNight; Day"\nABCDEFGHJ0002,"a; b"\n'
  const { all } = await viewOf(folder.path, 'keys.csv', text, {
    delimiter: ';',
    keyColumn: 1,
    offerColumn: 0,
  })
  expect(all).not.toMatch(/ABCDEFGHJ000[12]/)
})

test('masks what could be a key, keeps article numbers, and finds the value behind a mask', () => {
  const none = { offerId: null, by: 'none' as const }
  const keys = [
    { value: 'KRC9Z-GZ7FK-WBYTB', lines: 1, ...none },
    { value: 'KRC9Z-AAAAA-WBYTB', lines: 1, ...none },
  ]
  expect(shownValues(keys)).toEqual(['KRC9Z-•••••-••••• (1)', 'KRC9Z-•••••-••••• (2)'])
  expect(valueMeant(keys, 'KRC9Z-•••••-••••• (2)')).toBe('KRC9Z-AAAAA-WBYTB')
  expect(valueMeant(keys, null)).toBeNull()
  expect(valueMeant(keys, 'elsewhere')).toBe('elsewhere')
  const articles = [
    { value: 'HT2-DELUXE-2024', lines: 40, ...none },
    { value: 'MIRR-EU', lines: 60, ...none },
    { value: 'Ironwharf 3', lines: 1, offerId: 'off', by: 'name' as const },
    { value: 'GIFTCARD20EUR', lines: 1, ...none },
  ]
  expect(shownValues(articles)).toEqual([
    'HT2-DELUXE-2024',
    'MIRR-EU',
    'Ironwharf 3',
    'GIF•••••••• (4)',
  ])
})
