import { expect, test } from 'vitest'
import { parseColumnState } from './column-store.ts'
import { noColumnState } from './columns.ts'

test('restores saved choices part by part and falls back where one doesn’t fit', () => {
  const chosen = {
    visibility: { region: false },
    order: ['name', 'price'],
    sizing: { name: 300 },
    rowHeight: 44,
  } as const
  expect(parseColumnState(JSON.stringify(chosen))).toEqual(chosen)
  expect(
    parseColumnState('{"visibility":{"a":1,"b":true},"order":"x","sizing":null,"rowHeight":40}'),
  ).toEqual({ visibility: { b: true }, order: [], sizing: {}, rowHeight: null })
  for (const bad of ['', '[]', 'null', '7']) expect(parseColumnState(bad)).toEqual(noColumnState)
})
