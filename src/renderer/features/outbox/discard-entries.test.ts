import { beforeEach, expect, test, vi } from 'vitest'
import type { OutboxEntry } from '../../../contract/outbox.ts'
import type { toast } from '../../ui/feedback/toasts.tsx'
import { discardEntries, restoreEntries } from './discard-entries.ts'
import { discardable } from './every-entry.ts'

const { restore, discard, shown, problems } = vi.hoisted(() => ({
  restore: vi.fn<(input: { entryIds: string[] }) => Promise<OutboxEntry[]>>(),
  discard: vi.fn<(input: { entryIds: string[] }) => Promise<OutboxEntry[]>>(),
  shown: vi.fn<typeof toast>(),
  problems: vi.fn<() => void>(),
}))
vi.mock(import('../../lib/core/rpc.ts'), () => ({ rpc: { outbox: { restore, discard } } }) as never)
vi.mock(import('../../ui/feedback/toasts.tsx'), () => ({
  toast: shown,
  toastProblem: problems as never,
}))

// Only the fields that matter here.
const entry = (entryId: string, state: OutboxEntry['state']): OutboxEntry =>
  ({ entryId, state, title: `Cinderkeep ${entryId}` }) as OutboxEntry

beforeEach(() => vi.resetAllMocks())

test('an undo of a discard fails if a change is not queued again', async () => {
  const dropped = [entry('a', 'dropped'), entry('b', 'dropped')]
  restore.mockResolvedValueOnce([entry('a', 'waiting'), entry('b', 'dropped')])
  expect(await restoreEntries('seller', dropped)).toBe(false)
  expect(shown.mock.calls.map(([{ title }]) => title)).toEqual(['Not restored'])

  restore.mockRejectedValueOnce(new Error('offline'))
  expect(await restoreEntries('seller', dropped)).toBe(false)
  expect(problems).toHaveBeenCalledOnce()

  restore.mockResolvedValueOnce([entry('a', 'waiting'), entry('b', 'waiting')])
  expect(await restoreEntries('seller', dropped)).toBe(true)
})

test('reports a change that could not be discarded, by its name', async () => {
  discard.mockResolvedValueOnce([entry('a', 'unknown')])
  expect(await discardEntries('seller', [entry('a', 'unknown')])).toEqual([])
  expect(shown.mock.calls.map(([{ title }]) => title)).toEqual(['Cinderkeep a: not discarded'])
})

test('counts only changes that discarding removes, not those whose result is open', () => {
  const all = [entry('a', 'waiting'), entry('b', 'sending'), entry('c', 'unknown')]
  expect(discardable(all).map(({ entryId }) => entryId)).toEqual(['a'])
})
