import type { OutboxEntry } from '../../../contract/outbox.ts'
import { t } from '../../../contract/localization/localized.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { rpc } from '../../lib/core/rpc.ts'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import { ENTRIES_PER_READ } from './every-entry.ts'

export const idsOf = (entries: readonly OutboxEntry[]): string[] =>
  entries.map(({ entryId }) => entryId)
export const chunks = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
export const changeCount = (count: number): string => t('counts.changes', { count })

/**
 * Queues discarded changes again, and reports it. Resolves to whether all of them are queued: a later
 * change of the same item takes precedence.
 */
export async function restoreEntries(
  accountId: string,
  entries: readonly OutboxEntry[],
): Promise<boolean> {
  try {
    const after: OutboxEntry[] = []
    for (const some of chunks(entries, ENTRIES_PER_READ))
      after.push(...(await rpc.outbox.restore({ accountId, entryIds: idsOf(some) })))
    const left = after.filter(({ state }) => state === 'dropped').length
    if (left > 0)
      toast({
        kind: 'behind',
        title: t('screens.outbox-not-restored', { count: left }),
        text: 'A later change of the same item is already queued. Discard that one first.',
      })
    else
      toast({
        kind: 'waits',
        title:
          entries.length === 1
            ? `${entries[0]?.title ?? 'It'} is queued again`
            : `${changeCount(entries.length)} are queued again`,
        text: 'Nothing is sent without your approval.',
      })
    return left === 0
  } catch (error) {
    toastProblem(problemOf(error), null)
    return false
  }
}

/**
 * Discards queued changes. Resolves to those that were discarded: one that is being sent, or whose
 * response was lost, stays and is reported.
 */
export async function discardEntries(
  accountId: string,
  entries: readonly OutboxEntry[],
): Promise<OutboxEntry[]> {
  const after: OutboxEntry[] = []
  for (const some of chunks(entries, ENTRIES_PER_READ))
    after.push(...(await rpc.outbox.discard({ accountId, entryIds: idsOf(some) })))
  const dropped = after.filter(({ state }) => state === 'dropped')
  const left = entries.length - dropped.length
  if (left > 0)
    toast({
      kind: 'behind',
      title:
        entries.length === 1
          ? `${entries[0]?.title ?? 'It'}: not discarded`
          : `${changeCount(left)} not discarded`,
      text: 'Only a change that is still queued and wasn’t sent can be discarded.',
    })
  return dropped
}
