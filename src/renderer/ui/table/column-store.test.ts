import { afterEach, expect, test, vi } from 'vitest'
import { columnStateOf, rememberTables, useColumnStore } from './column-store.ts'
import { noColumnState } from './columns.ts'

afterEach(() => { vi.useRealTimers() })

test('kept choices come back, each part by itself, and what doesn’t fit falls back', () => {
  const chosen = { visibility: { region: false }, order: ['name', 'price'], sizing: { name: 300 }, rowHeight: 44 } as const
  expect(columnStateOf(JSON.stringify(chosen))).toEqual(chosen)
  expect(columnStateOf('{"visibility":{"a":1,"b":true},"order":"x","sizing":null,"rowHeight":40}')).toEqual({ visibility: { b: true }, order: [], sizing: {}, rowHeight: null })
  for (const bad of ['', '[]', 'null', '7']) expect(columnStateOf(bad)).toEqual(noColumnState)
})

test('a change is kept once, the last of a few, and a choice made before the kept ones came stays', () => {
  vi.useFakeTimers()
  const kept: [string, string][] = []
  useColumnStore.getState().change('sales', { rowHeight: 32 })
  const stop = rememberTables({ sales: '{"rowHeight":44}', offers: '{"rowHeight":44}' }, (id, choice) => void kept.push([id, choice]))
  expect([useColumnStore.getState().tables['sales']?.rowHeight, useColumnStore.getState().tables['offers']?.rowHeight]).toEqual([32, 44])
  for (const name of [200, 220, 240]) useColumnStore.getState().change('offers', { sizing: { name } })
  vi.advanceTimersByTime(1000)
  expect(kept.map(([id, choice]) => [id, columnStateOf(choice)])).toEqual([['offers', { ...noColumnState, rowHeight: 44, sizing: { name: 240 } }]])
  stop()
  useColumnStore.getState().reset('offers')
  vi.advanceTimersByTime(1000)
  expect(kept).toHaveLength(1)
})
