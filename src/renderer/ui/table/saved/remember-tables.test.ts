import { afterEach, expect, test, vi } from 'vitest'
import { parseColumnState, useColumnStore } from '../columns/column-store.ts'
import { noColumnState } from '../columns/columns.ts'
import {
  flag,
  validListSettings,
  listSettingsId,
  parseListSettings,
  oneOf,
  sortedBy,
  useListSettingsStore,
  wordsOf,
} from './list-settings.ts'
import { rememberTables } from './remember-tables.ts'

afterEach(() => {
  vi.useRealTimers()
})

const parts = {
  view: oneOf(['all', 'paused'], 'all'),
  platforms: wordsOf(),
  span: wordsOf(['today']),
  held: flag,
  sort: sortedBy(['name', 'price'], 'name', 'asc'),
}

test('saves only the last of several changes and keeps a choice made before the saved ones arrived', () => {
  vi.useFakeTimers()
  const kept: [string, string][] = []
  const offersOf = listSettingsId('offers', 'a1')
  useColumnStore.getState().change('sales', { rowHeight: 32 })
  const stop = rememberTables(
    { sales: '{"rowHeight":44}', offers: '{"rowHeight":44}', [offersOf]: '{"view":"paused"}' },
    (id, choice) => void kept.push([id, choice]),
  )
  expect([
    useColumnStore.getState().tables['sales']?.rowHeight,
    useColumnStore.getState().tables['offers']?.rowHeight,
  ]).toEqual([32, 44])
  expect(useListSettingsStore.getState().looks).toEqual({ [offersOf]: { view: 'paused' } })
  for (const name of [200, 220, 240])
    useColumnStore.getState().change('offers', { sizing: { name } })
  for (const held of [true, false, true])
    useListSettingsStore.setState(({ looks }) => ({
      looks: { ...looks, [offersOf]: { ...looks[offersOf], held } },
    }))
  vi.advanceTimersByTime(1000)
  expect(kept.map(([id, choice]) => [id, JSON.parse(choice)])).toEqual([
    ['offers', { ...noColumnState, rowHeight: 44, sizing: { name: 240 } }],
    [offersOf, { view: 'paused', held: true }],
  ])
  stop()
  useColumnStore.getState().reset('offers')
  vi.advanceTimersByTime(1000)
  expect(kept).toHaveLength(2)
  expect(parseColumnState(kept[0]?.[1] ?? '').rowHeight).toBe(44)
})

test('restores saved filters part by part and resets those that don’t fit', () => {
  const chosen = {
    view: 'paused',
    platforms: ['Steam'],
    span: ['today'],
    held: true,
    sort: { column: 'price', direction: 'desc' },
  }
  expect(validListSettings(parts, parseListSettings(JSON.stringify(chosen)))).toEqual(chosen)
  const start = {
    view: 'all',
    platforms: [],
    span: [],
    held: false,
    sort: { column: 'name', direction: 'asc' },
  }
  expect(
    validListSettings(
      parts,
      parseListSettings(
        '{"view":"gone","platforms":"Steam","span":["never"],"held":1,"sort":{"column":"price","direction":"up"}}',
      ),
    ),
  ).toEqual(start)
  for (const bad of ['', '[]', 'null', '7'])
    expect(validListSettings(parts, parseListSettings(bad))).toEqual(start)
})
