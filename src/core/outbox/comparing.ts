import type { OutboxKind } from '../../contract/outbox.ts'
import type { CoreContext } from '../context.ts'
import { Failure } from '../failure.ts'
import { keepRounds } from '../mirror/mirror.ts'
import type { Rounds } from '../mirror/mirror.ts'
import { comparisonDetail, comparisonTitle } from './event-texts.ts'
import type { OutboxHandler } from './handler.ts'
import { judge } from './judge.ts'
import type { OutboxStore } from './store.ts'

type Dependencies = {
  context: CoreContext
  storeOf: (accountId: string) => OutboxStore
  handlerOf: (kind: OutboxKind) => OutboxHandler
  changed: (accountId: string, entryId: string) => void
  settle: (accountId: string, entryId: string) => Promise<void>
}

/** Milliseconds between two comparisons of the queued changes. */
const compareIntervalMs = 60_000

/**
 * Compares queued changes with the service: on request, and in a poll loop per account while it is
 * open.
 */
export function createComparing({ context, storeOf, handlerOf, changed, settle }: Dependencies) {
  const rounds = new Map<string, Rounds>()
  const busy = new Set<Promise<unknown>>()

  /** Reads one entry's subject and records how it compares. */
  async function compare(accountId: string, entryId: string, signal?: AbortSignal): Promise<void> {
    const entry = storeOf(accountId).find(entryId)
    if (entry?.state !== 'waiting') return
    const present = await handlerOf(entry.kind).present(accountId, entry, signal)
    const store = storeOf(accountId)
    const judgement = judge(entry.kind, entry.seen, present, entry.wanted)
    store.transaction(() => {
      if (store.find(entryId)?.state !== 'waiting') return
      store.setPresent(entryId, present, context.clock.now(), judgement)
      if (entry.verdict !== judgement.verdict)
        store.note(
          entryId,
          context.clock.now(),
          comparisonTitle(entry.kind, present),
          comparisonDetail(entry, present, judgement),
        )
    })
    changed(accountId, entryId)
  }

  async function compareAll(accountId: string, signal?: AbortSignal): Promise<void> {
    for (const { entryId, state } of storeOf(accountId).open()) {
      signal?.throwIfAborted()
      if (state !== 'waiting') await settle(accountId, entryId)
      await compare(accountId, entryId, signal)
    }
  }

  context.accounts.onReady((account, signal) => {
    const line = context.connection(account.id)
    rounds.set(
      account.id,
      keepRounds({
        clock: context.clock,
        random: context.random,
        signal,
        ready: (until) => line.ready(until),
        pause: () => compareIntervalMs,
        round() {
          const work = compareAll(account.id, signal).finally(() => busy.delete(work))
          busy.add(work)
          return work
        },
        failed: (error) => {
          if (!(error instanceof Failure)) context.report('outbox', error)
        },
      }),
    )
    signal.addEventListener('abort', () => rounds.delete(account.id), { once: true })
  })
  context.accounts.onRelease(async () => {
    await Promise.allSettled(busy)
  })

  return {
    compare,
    compareAll,
    /** Compares as soon as possible instead of at the next interval. */
    compareNow: (accountId: string): void => void rounds.get(accountId)?.now(),
    /** Resolves when no comparison is in progress; the accounts' signals stop the poll loops. */
    close: async (): Promise<void> => {
      await Promise.allSettled(busy)
    },
  }
}
