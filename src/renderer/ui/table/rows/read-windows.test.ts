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
const keyOf = ({ id }: { id: string }): string => id
const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

test('reads a list in windows, up to a number of rows', async () => {
  const entries = named(25)
  expect(idsOf(await readWindows(listOf(entries), { keyOf, size: 10 }))).toEqual(entries)
  const some = await readWindows(listOf(entries), { keyOf, size: 10, most: 12 })
  expect(idsOf(some)).toEqual(entries.slice(0, 12))
  expect(await readWindows(listOf([]), { keyOf, size: 10 })).toEqual([])
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
  expect(idsOf(await readWindows(list, { keyOf, size: 10 }))).toEqual(entries)
})

test('returns no row twice if the list never stays the same', async () => {
  const entries = named(25)
  const list = listOf(entries, (reads) => void entries.unshift(`new${reads}`))
  const ids = idsOf(await readWindows(list, { keyOf, size: 10 }))
  expect(new Set(ids).size).toBe(ids.length)
})

/** Entries of which the second moves to the end with another text before the second read. */
function movedWithChange(count: number) {
  const entries = named(count).map((id) => ({ id, text: 'old' }))
  let reads = 0
  const read = async ({ offset, limit }: { offset: number; limit: number }) => {
    if ((reads += 1) === 2) {
      const [moved] = entries.splice(1, 1)
      if (moved !== undefined) entries.push({ ...moved, text: 'new' })
    }
    return { total: entries.length, rows: entries.slice(offset, offset + limit) }
  }
  return { entries, read }
}

test('reads the list again if a row moves down between two windows and its content changes', async () => {
  const { entries, read } = movedWithChange(25)
  expect(await readWindows(read, { keyOf, size: 10 })).toEqual(entries)
})

test('returns a row whose content changes with every read once, as last read', async () => {
  let reads = 0
  const read = async () => ({ total: 3, rows: [{ id: 'e0', text: `${(reads += 1)}` }] })
  expect(await readWindows(read, { keyOf, size: 1 })).toEqual([{ id: 'e0', text: `${reads}` }])
})
