import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Problem } from '../../contract/base.ts'
import type { Contract } from '../../contract/index.ts'
import type { OutboxEntry, OutboxFacts, OutboxKind } from '../../contract/outbox.ts'
import { localized } from '../../contract/localization/localized.ts'
import { failure } from '../failure.ts'
import { createFlights } from '../journaled-send/journaled-send.ts'
import type { Flights } from '../journaled-send/journaled-send.ts'
import { createAccountScopes, createEmitter, defineFeature } from '../lifecycle/lifecycle.ts'
import type { Scope } from '../lifecycle/lifecycle.ts'
import type { OutboxContext } from './context.ts'
import { changeTitle, seenDetail } from './event-texts.ts'
import { outboxSchema, outboxTextRecord } from './schema.ts'
import { openOutboxStore } from './store.ts'
import type { OutboxStore, StoredEntry } from './store.ts'

export { emptyFacts } from './compare/compare-facts.ts'
export { outboxSchema } from './schema.ts'
export type { OutboxHandler } from './handler.ts'
export type { StoredEntry } from './store.ts'

type Inputs = InferContractRouterInputs<Contract['outbox']>
type Outputs = InferContractRouterOutputs<Contract['outbox']>

type DropCode = 'outbox.dropped' | 'outbox.dropped-already' | 'outbox.dropped-superseded'

export type NewEntry = {
  kind: OutboxKind
  subjectId: string
  title: string
  subtitle: string
  seen: OutboxFacts
  seenAt: number
  wanted: OutboxFacts
  text?: string
  /** Set if the change was sent and its response is missing: it is checked before anything else. */
  lost?: Problem | null
}

/**
 * Changes made while the service couldn't be reached: stored until {@link createOutboxSender}
 * compares and sends them.
 */
function createOutbox(context: OutboxContext, _needs: unknown, scope: Scope) {
  const { of: sessionOf } = createAccountScopes<{ store: OutboxStore; flights: Flights }>(
    context,
    scope,
    {
      role: null,
      open({ accountId }) {
        const store = openOutboxStore(context.mirrors.database(accountId))
        store.recoverInterrupted()
        return { store, flights: createFlights(context.clock) }
      },
    },
  )
  const storeOf = (accountId: string): OutboxStore => sessionOf(accountId).store
  /** Entries that can still arrive at the service, because their response was lost. */
  const flightsOf = (accountId: string): Flights => sessionOf(accountId).flights
  const queued = createEmitter<[accountId: string]>()
  const textOf = (accountId: string, entry: StoredEntry): string | null =>
    entry.textSealed === null
      ? null
      : context.vault.open(accountId, outboxTextRecord(entry.entryId), entry.textSealed).toString()
  const notifyChanged = (accountId: string, entryId: string | null = null): void =>
    context.changes.notify('outbox', accountId, entryId)
  const toEntry = (
    accountId: string,
    { textSealed: _sealed, ...entry }: StoredEntry,
  ): OutboxEntry => ({ ...entry, accountId })

  function updateEach(
    accountId: string,
    entryIds: readonly string[],
    act: (store: OutboxStore, entry: StoredEntry) => void,
  ): OutboxEntry[] {
    const store = storeOf(accountId)
    store.transaction(() => {
      for (const entryId of entryIds) {
        const entry = store.find(entryId)
        if (entry !== null) act(store, entry)
      }
    })
    notifyChanged(accountId)
    return entryIds
      .flatMap((entryId) => store.find(entryId) ?? [])
      .map((entry) => toEntry(accountId, entry))
  }

  /** The waiting entry of a subject. Throws Failure `CONFLICT` if its result is still open. */
  function replaceable(accountId: string, kind: OutboxKind, subjectId: string): StoredEntry | null {
    const waiting = storeOf(accountId).openOf(kind, subjectId)
    if (waiting === null || waiting.state === 'waiting') return waiting
    const { title, state } = waiting
    throw failure(
      'CONFLICT',
      state === 'sending'
        ? `An earlier change of ${title} is being sent.`
        : `The response to an earlier change of ${title} was lost.`,
      state === 'sending'
        ? 'Wait for its result in Queued changes, then try again.'
        : 'Keydesk is checking whether the service has it. Wait for the result in Queued changes, then try again.',
      { effect: 'Your change wasn’t queued.' },
    )
  }

  return {
    storeOf,
    flightsOf,
    textOf,
    replaceable,
    toEntry,
    notifyChanged,
    /** Called when a change was queued or restored. */
    onQueued: queued.listen,
    /**
     * Stores a change until it can be sent. A waiting entry of the same subject is updated instead.
     * Requires an open vault if there is a text.
     */
    add(accountId: string, entry: NewEntry): OutboxEntry {
      const store = storeOf(accountId)
      const now = context.clock.now()
      const queue = (): string => {
        const waiting =
          entry.kind === 'dispute-answer'
            ? null
            : replaceable(accountId, entry.kind, entry.subjectId)
        if (waiting !== null) {
          store.rewrite(waiting.entryId, entry.wanted, now)
          store.note(waiting.entryId, now, changeTitle(entry), localized('outbox.replaces-earlier'))
          return waiting.entryId
        }
        const id = context.random.id()
        store.add({
          ...entry,
          entryId: id,
          textSealed:
            entry.text === undefined
              ? null
              : context.vault.seal(accountId, outboxTextRecord(id), Buffer.from(entry.text)),
          writtenAt: now,
        })
        store.note(id, entry.seenAt, localized('outbox.last-seen'), seenDetail(entry))
        const { state, since } = context.connection(accountId).state()
        const isAway = state === 'offline' || state === 'doubtful'
        if (isAway && since !== null && since >= entry.seenAt)
          store.note(
            id,
            since,
            localized('outbox.connection-lost'),
            localized('outbox.change-queued'),
          )
        store.note(id, now, changeTitle(entry), localized('outbox.added'))
        return id
      }
      const entryId = store.transaction(() => {
        const id = queue()
        if (entry.lost === undefined || entry.lost === null) return id
        store.setState(id, 'unknown', entry.lost, null)
        flightsOf(accountId).note(id)
        store.note(id, now, localized('outbox.response-lost'), localized('outbox.checking'))
        return id
      })
      notifyChanged(accountId, entryId)
      queued.emit(accountId)
      const kept = store.find(entryId)
      if (kept === null) throw new Error('an outbox entry disappeared right after it was written')
      return toEntry(accountId, kept)
    },
    /** Open entries of some kinds, by subject. */
    waiting(accountId: string, kinds: readonly OutboxKind[]): Map<string, OutboxEntry[]> {
      return Map.groupBy(
        storeOf(accountId)
          .open()
          .filter(({ kind }) => kinds.includes(kind))
          .map((entry) => toEntry(accountId, entry)),
        ({ subjectId }) => subjectId,
      )
    },
    /**
     * Discards the entry of a subject that was changed directly, without the outbox. This includes an
     * entry with an unknown result: whether or not it was made, the direct change was made after it.
     */
    discardSuperseded(accountId: string, kind: OutboxKind, subjectId: string): void {
      const store = storeOf(accountId)
      const entry = store.openOf(kind, subjectId)
      if (entry?.state === 'waiting' || entry?.state === 'unknown')
        updateEach(accountId, [entry.entryId], (_, each_) =>
          discard(store, each_, 'outbox.dropped-superseded'),
        )
    },
    list({ accountId, tab = 'waiting', query = '', window }: Inputs['list']): Outputs['list'] {
      const store = storeOf(accountId)
      const found = store.list(tab, query, window?.offset ?? 0, window?.limit ?? 100)
      return {
        ...found,
        rows: found.rows.map((entry) => toEntry(accountId, entry)),
        ...store.sums(),
      }
    },
    entry({ accountId, entryId }: Inputs['entry']): Outputs['entry'] {
      const store = storeOf(accountId)
      const entry = store.find(entryId)
      if (entry === null)
        throw failure('NOT_FOUND', 'Queued change not found.', 'Check the list of queued changes.')
      return {
        ...toEntry(accountId, entry),
        text: textOf(accountId, entry),
        events: store.events(entryId),
      }
    },
    drop: ({ accountId, entryIds }: Inputs['discard']): Outputs['discard'] =>
      updateEach(accountId, entryIds, (store, entry) =>
        drop(
          store,
          entry,
          entry.verdict === 'already' ? 'outbox.dropped-already' : 'outbox.dropped',
        ),
      ),
    restore({ accountId, entryIds }: Inputs['restore']): Outputs['restore'] {
      const after = updateEach(accountId, entryIds, (store, entry) => {
        if (
          entry.state !== 'dropped' ||
          (entry.kind !== 'dispute-answer' && store.openOf(entry.kind, entry.subjectId) !== null)
        )
          return
        store.setState(entry.entryId, 'waiting', null, null)
        store.note(
          entry.entryId,
          context.clock.now(),
          localized('outbox.restored'),
          localized('outbox.queued-again'),
        )
      })
      queued.emit(accountId)
      return after
    },
  }

  function drop(store: OutboxStore, entry: StoredEntry, why: DropCode): void {
    if (entry.state === 'waiting') discard(store, entry, why)
  }

  function discard(
    store: OutboxStore,
    { entryId, problem, state }: StoredEntry,
    why: DropCode,
  ): void {
    const result = state === 'unknown' ? 'outbox.unknown-result' : 'outbox.nothing-sent'
    store.setState(entryId, 'dropped', problem, context.clock.now())
    store.note(entryId, context.clock.now(), localized(why), localized(result))
  }
}
export type Outbox = ReturnType<typeof createOutbox>

export const outboxFeature = defineFeature({
  name: 'outbox',
  schemas: [outboxSchema],
  start: createOutbox,
  duty: (outbox, { id }) => (outbox.storeOf(id).sums().counts.waiting > 0 ? 'soon' : null),
  unfinished: (outbox, { id }) => ({ queuedChanges: outbox.storeOf(id).sums().counts.waiting }),
})
