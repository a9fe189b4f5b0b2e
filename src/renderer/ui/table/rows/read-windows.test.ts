import { expect, test } from 'vitest'
import { readWindows } from './read-windows.ts'

/** A list of entries that `change` can change before each read. */
function listOf(entries: string[], change: (reads: number) => void = () => {}) {
  let reads = 0
  return async ({ offset, limit }: { offset: number; limit: number }) => {
    change((reads += 1))
    const rows = entries.slice(offset, offset + limit).map((id) => ({ id }))
    return { total: entries.length, rows }
  }
}
const named = (count: number): string[] => Array.from({ length: count }, (_, at) => `e${at}`)
const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

test('reads a list in windows, up to a number of rows', async () => {
  const entries = named(25)
  expect(idsOf(await readWindows(listOf(entries), { size: 10 }))).toEqual(entries)
  const some = await readWindows(listOf(entries), { size: 10, most: 12 })
  expect(idsOf(some)).toEqual(entries.slice(0, 12))
  expect(await readWindows(listOf([]), { size: 10 })).toEqual([])
})

test.each([
  ['an entry is added', (entries: string[]) => void entries.unshift('new')],
  ['an entry is removed', (entries: string[]) => void entries.shift()],
  ['an entry moves up', (entries: string[]) => void entries.unshift(entries.pop() ?? '')],
])('reads the list again if %s between two windows', async (_, change) => {
  const entries = named(25)
  const list = listOf(entries, (reads) => {
    if (reads === 2) change(entries)
  })
  expect(idsOf(await readWindows(list, { size: 10 }))).toEqual(entries)
})

test('returns no row twice if the list never stays the same', async () => {
  const entries = named(25)
  const list = listOf(entries, (reads) => void entries.unshift(`new${reads}`))
  const ids = idsOf(await readWindows(list, { size: 10 }))
  expect(new Set(ids).size).toBe(ids.length)
})
