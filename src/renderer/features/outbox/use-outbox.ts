import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Cents } from '../../../../server/api/money.ts'
import type { OutboxEntry } from '../../../contract/outbox.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { rpc } from '../../lib/core/rpc.ts'
import { succeeds } from '../../ui/feedback/succeeds.ts'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import { changeCount, chunks, discardEntries, idsOf, restoreEntries } from './discard-entries.ts'

/** Entries sent per call: few, so that the page updates often and Stop takes effect quickly. */
const BATCH_SIZE = 5

export interface OutboxActions {
  /**
   * Sends entries one by one in the state shown. For a single entry, optionally at another price
   * than the typed one.
   */
  send: (entries: readonly OutboxEntry[], priceCents?: Cents) => void
  /** Discards entries; the toast offers to undo it. */
  discard: (entries: readonly OutboxEntry[]) => Promise<void>
  restore: (entries: readonly OutboxEntry[]) => void
  compare: () => void
  comparing: boolean
  /** How many of a person's actions have finished: their effects are no news to that person. */
  finished: number
  /** Progress of sending; null while nothing is being sent. */
  progress: { done: number; total: number } | null
  /** The results of the last send of several changes; null while they aren't shown. */
  results: readonly OutboxEntry[] | null
  closeResults: () => void
  /** Stops sending after the calls in flight; the rest stays queued. */
  stop: () => void
}

/** A person's actions on queued changes, each followed by a message with its result. */
export function useOutbox(): OutboxActions {
  const { id: accountId } = useAccount()
  const [results, setResults] = useState<OutboxActions['results']>(null)
  const [progress, setProgress] = useState<OutboxActions['progress']>(null)
  const running = useRef<AbortController | null>(null)
  const [finished, setFinished] = useState(0)
  const finish = (): void => setFinished((before) => before + 1)
  const showError = (error: unknown): void => {
    toastProblem(problemOf(error), null)
  }

  async function sendAll(
    entries: readonly OutboxEntry[],
    priceCents: Cents | undefined,
  ): Promise<void> {
    if (running.current !== null || entries.length === 0) return
    const run = new AbortController()
    running.current = run
    const after: OutboxEntry[] = []
    try {
      for (const some of chunks(entries, BATCH_SIZE)) {
        if (run.signal.aborted) break
        setProgress({ done: after.length, total: entries.length })
        const shown = Object.fromEntries(
          some
            .filter(({ presentAt }) => presentAt !== null)
            .map(({ entryId, present }) => [entryId, present]),
        )
        after.push(
          ...(await rpc.outbox.send({
            accountId,
            entryIds: idsOf(some),
            shown,
            ...(priceCents !== undefined && { priceCents }),
          })),
        )
      }
    } catch (error) {
      showError(error)
    } finally {
      running.current = null
      setProgress(null)
      finish()
    }
    const rest = entries.slice(after.length)
    reportOutcome(after, entries.length === 1 ? undefined : () => setResults([...after, ...rest]))
  }

  const restore = (entries: readonly OutboxEntry[]): Promise<boolean> =>
    restoreEntries(accountId, entries).finally(finish)

  async function drop(entries: readonly OutboxEntry[]): Promise<void> {
    try {
      const dropped = await discardEntries(accountId, entries).finally(finish)
      if (dropped.length === 0) return
      const [first] = dropped
      toast({
        id: 'outbox-drop',
        title:
          dropped.length === 1 && first !== undefined
            ? `${first.title}: ${first.verdict === 'already' ? 'cleared' : 'discarded'}`
            : `${changeCount(dropped.length)} discarded`,
        text: 'Nothing was sent. You can restore it from the Discarded tab.',
        undo: () => restore(dropped),
        redo: async () => {
          const again = discardEntries(accountId, dropped).finally(finish)
          return (await succeeds(again, showError)) && (await again).length === dropped.length
        },
      })
    } catch (error) {
      showError(error)
    }
  }

  const compare = useMutation({
    mutationFn: () => rpc.outbox.compare({ accountId }),
    onError: showError,
    onSettled: finish,
  })
  return {
    send: (entries, priceCents) => {
      void sendAll(entries, priceCents)
    },
    discard: drop,
    restore: (entries) => void restore(entries),
    compare: () => compare.mutate(),
    comparing: compare.isPending,
    finished,
    progress,
    results,
    closeResults: () => setResults(null),
    stop: () => running.current?.abort(),
  }
}

/** `view`: shows the result of each change, if there were several. */
function reportOutcome(after: readonly OutboxEntry[], view?: () => void): void {
  const action = view && { action: { label: 'View results', run: view } }
  const sent = after.filter(({ state }) => state === 'sent')
  const unsure = after.filter(({ state }) => state === 'unknown' || state === 'sending')
  const back = after.filter(({ state }) => state === 'waiting')
  if (sent.length > 0)
    toast({
      title:
        sent.length === 1 ? `${sent[0]?.title ?? 'It'}: sent` : `${changeCount(sent.length)} sent`,
      text: 'The service has the change. No keys moved.',
      ...action,
    })
  if (unsure.length > 0)
    toast({
      kind: 'waits',
      title: `${changeCount(unsure.length)} not confirmed`,
      text: 'The response was lost. Keydesk first checks the service, and never sends a change twice.',
      ...action,
    })
  const [first] = back
  if (first === undefined) return
  if (back.length === 1 && first.problem !== null) toastProblem(first.problem, first.title)
  else
    toast({
      kind: 'behind',
      title:
        back.length === 1
          ? `${first.title} was not sent`
          : `${changeCount(back.length)} were not sent`,
      text: 'Review what changed again. Each rejected change shows the reason in its row.',
      ...action,
    })
}
