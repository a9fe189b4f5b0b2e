import type { OutboxFacts, OutboxKind } from '../../../contract/outbox.ts'
import { Failure, isFailure, isUnread } from '../../failure.ts'
import { IN_FLIGHT_MS } from '../../journaled-send/journaled-send.ts'
import type { AccountScope } from '../../lifecycle/lifecycle.ts'
import { startPollLoop } from '../../mirror/mirror.ts'
import type { PollLoop } from '../../mirror/mirror.ts'
import type { OutboxContext } from '../context.ts'
import { comparisonDetail, comparisonTitle } from '../event-texts.ts'
import type { OutboxHandler } from '../handler.ts'
import { compareFacts } from './compare-facts.ts'
import type { OutboxStore, StoredEntry } from '../store.ts'

type Dependencies = {
  context: OutboxContext
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
  /** Reads the subject of some entries and records how each compares. */
  async function compareEntries(
    accountId: string,
    entries: readonly StoredEntry[],
    signal?: AbortSignal,
  ): Promise<void> {
    const waiting = entries.filter(({ state }) => state === 'waiting')
    const [first] = waiting
    if (first === undefined) return
    const present = await handlerOf(first.kind).readCurrent(accountId, first, signal)
    for (const { entryId } of waiting) record(accountId, entryId, present)
  }

  function record(accountId: string, entryId: string, present: OutboxFacts | null): void {
    const store = storeOf(accountId)
    store.transaction(() => {
      const entry = store.find(entryId)
      if (entry?.state !== 'waiting') return
      const comparison = compareFacts(entry.kind, entry.seen, present, entry.wanted)
      store.setPresent(entryId, present, context.clock.now(), comparison)
      if (entry.verdict !== comparison.verdict)
        store.note(
          entryId,
          context.clock.now(),
          comparisonTitle(entry.kind, present),
          comparisonDetail(entry, present, comparison),
        )
    })
    changed(accountId, entryId)
  }

  async function compare(accountId: string, entryId: string): Promise<void> {
    const entry = storeOf(accountId).find(entryId)
    if (entry !== null) await compareEntries(accountId, [entry])
  }

  /**
   * Compares all entries. One that fails doesn't block the others, unless the service can't be
   * reached. Throws the first failure at the end.
   */
  async function compareAll(accountId: string, signal?: AbortSignal): Promise<void> {
    const failures: Failure[] = []
    const attempt = async (task: () => Promise<void>): Promise<void> => {
      signal?.throwIfAborted()
      try {
        await task()
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        // Only the text of an answer is sealed: the other changes don't need the vault.
        if (error.retry === 'wait' && !isFailure(error, 'VAULT_LOCKED') && !isUnread(error))
          throw error
        failures.push(error)
      }
    }
    for (const { entryId, state } of storeOf(accountId).open())
      if (state !== 'waiting') await attempt(() => settle(accountId, entryId))
    // One reading for all answers to a dispute: there can be many, and each is a request.
    const bySubject = Map.groupBy(
      storeOf(accountId).open(),
      ({ kind, subjectId }) => `${kind} ${subjectId}`,
    )
    for (const entries of bySubject.values())
      await attempt(() => compareEntries(accountId, entries, signal))
    const [first] = failures
    if (first !== undefined) throw first
  }

  return {
    compare,
    compareAll,
    /** Compares the queued changes of an account regularly until the given scope ends. */
    startPolling({ accountId, signal, spawn }: AccountScope): PollLoop {
      const connection = context.connection(accountId)
      return startPollLoop({
        clock: context.clock,
        random: context.random,
        signal,
        ready: (until) => connection.ready(until),
        // A change whose response was lost is checked again once it can't arrive any more.
        pause: () => (storeOf(accountId).hasUnsettled() ? IN_FLIGHT_MS : compareIntervalMs),
        pass: () => spawn(compareAll(accountId, signal)),
        onFailure: (error) => {
          if (!(error instanceof Failure)) context.report('outbox', error)
        },
      })
    },
  }
}
