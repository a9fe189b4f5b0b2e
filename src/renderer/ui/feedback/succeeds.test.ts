import { beforeEach, expect, test, vi } from 'vitest'
import { recordChange, reverse, useUndoHistory } from './undo-history.ts'
import { succeeds } from './succeeds.ts'

beforeEach(() => useUndoHistory.setState({ accountId: 'seller', entries: [] }))

const stateOf = (id: number) =>
  useUndoHistory.getState().entries.find((entry) => entry.id === id)?.state

test('keeps a change done if its undo fails, and reports the failure', async () => {
  const report = vi.fn<(error: unknown) => void>()
  const failure = new Error('offline')
  const change = recordChange({
    title: 'Cinderkeep: held',
    undo: () => succeeds(Promise.reject(failure), report),
  })
  expect(await reverse(change)).toBe(false)
  expect(stateOf(change.id)).toBe('done')
  expect(report).toHaveBeenCalledExactlyOnceWith(failure)
})

test('marks a change as undone if its undo succeeds', async () => {
  const report = vi.fn<(error: unknown) => void>()
  const change = recordChange({
    title: 'Cinderkeep: held',
    undo: () => succeeds(Promise.resolve(), report),
  })
  expect(await reverse(change)).toBe(true)
  expect(stateOf(change.id)).toBe('undone')
  expect(report).not.toHaveBeenCalled()
})
