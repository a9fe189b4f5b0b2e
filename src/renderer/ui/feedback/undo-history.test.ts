import { beforeEach, expect, it, vi } from 'vitest'
import {
  historyOf,
  nextToRedo,
  nextToUndo,
  recordChange,
  reverse,
  showHistoryOf,
  useUndoHistory,
} from './undo-history.ts'

const history = () => useUndoHistory.getState()
const titles = () => historyOf(history()).map(({ title, state }) => `${title} ${state}`)
const undo = async () => {
  const entry = nextToUndo(history())
  return entry === null ? null : reverse(entry)
}
const redo = async () => {
  const entry = nextToRedo(history())
  return entry === null ? null : reverse(entry)
}
/** Records a change of a value, which its undo and redo set. */
function change(record: string[], title: string) {
  return recordChange({
    title,
    undo: async () => record.push(`undo ${title}`),
    redo: async () => record.push(`redo ${title}`),
  })
}

beforeEach(() => {
  useUndoHistory.setState({ accountId: 'a', entries: [] })
})

it('undoes changes from the newest on, and makes them again in the opposite order', async () => {
  const record: string[] = []
  for (const title of ['first', 'second', 'third']) change(record, title)
  await undo()
  await undo()
  expect(record).toEqual(['undo third', 'undo second'])
  expect(titles()).toEqual(['third undone', 'second undone', 'first done'])
  await redo()
  await redo()
  expect(record.slice(2)).toEqual(['redo second', 'redo third'])
  expect(await redo()).toBeNull()
  await undo()
  await undo()
  await undo()
  expect(await undo()).toBeNull()
  expect(titles()).toEqual(['third undone', 'second undone', 'first undone'])
})

it('makes nothing again once something else has changed, or if it can’t be repeated', async () => {
  const record: string[] = []
  change(record, 'first')
  await undo()
  change(record, 'second')
  expect(nextToRedo(history())).toBeNull()
  recordChange({ title: 'once', undo: async () => {} })
  await undo()
  expect(nextToRedo(history())).toBeNull()
})

it('never undoes a change of another account', async () => {
  const record: string[] = []
  change(record, 'in a')
  showHistoryOf('b')
  expect(nextToUndo(history())).toBeNull()
  change(record, 'in b')
  await undo()
  expect(await undo()).toBeNull()
  showHistoryOf('a')
  expect(titles()).toEqual(['in a done'])
  expect(record).toEqual(['undo in b'])
})

it.each([
  ['rejects', () => Promise.reject(new Error('offline'))],
  ['resolves to false', () => Promise.resolve(false)],
])('keeps a change whose undo %s', async (_how, failing) => {
  recordChange({ title: 'first', undo: failing })
  expect(await undo()).toBe(false)
  expect(titles()).toEqual(['first done'])
})

it('runs reversals one after another', async () => {
  const record: string[] = []
  change(record, 'first')
  let finish = (): void => {}
  recordChange({
    title: 'slow',
    undo: () =>
      new Promise<void>((resolve) => {
        finish = () => {
          record.push('undo slow')
          resolve()
        }
      }),
  })
  const both = [undo(), undo()]
  await vi.waitFor(() => {
    finish()
    expect(record).not.toEqual([])
  })
  expect(await Promise.all(both)).toEqual([true, true])
  expect(record).toEqual(['undo slow', 'undo first'])
})

it('keeps 200 changes, none older than 24 hours', () => {
  vi.useFakeTimers({ now: 0 })
  try {
    change([], 'old')
    vi.setSystemTime(24 * 3_600_000 - 1)
    change([], 'new')
    expect(titles()).toEqual(['new done', 'old done'])
    vi.setSystemTime(24 * 3_600_000)
    for (let at = 1; at <= 199; at += 1) change([], `c${at}`)
    expect(titles()).toHaveLength(200)
    expect(titles().at(-1)).toBe('new done')
    change([], 'c200')
    expect(titles().at(-1)).toBe('c1 done')
  } finally {
    vi.useRealTimers()
  }
})

it('lists a change that can’t be undone with its reason, and undoes the one before it', async () => {
  const record: string[] = []
  change(record, 'first')
  recordChange({ title: 'withdrawn', undo: null, reason: 'The keys left the service' })
  await undo()
  expect(record).toEqual(['undo first'])
  expect(historyOf(history()).map(({ title, reason }) => [title, reason])).toEqual([
    ['withdrawn', 'The keys left the service'],
    ['first', null],
  ])
})

it('keeps the reason why a change can no longer be undone', async () => {
  recordChange({ title: 'first', undo: async () => 'Changed again since' })
  expect(await undo()).toBe(false)
  expect(historyOf(history())[0]).toMatchObject({ state: 'done', reason: 'Changed again since' })
  expect(nextToUndo(history())).toBeNull()
})
