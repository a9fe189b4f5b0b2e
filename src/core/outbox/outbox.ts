import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../contract/index.ts'
import type { OutboxEntry, OutboxFacts, OutboxKind } from '../../contract/outbox.ts'
import { cents, formatEuros } from '../../../server/api/money.ts'
import type { CoreContext } from '../context.ts'
import { Failure, failure } from '../failure.ts'
import { keepRounds } from '../mirror/mirror.ts'
import type { Rounds } from '../mirror/mirror.ts'
import type { OutboxHandler } from './handler.ts'
import { judge } from './judge.ts'
import type { Judgement } from './judge.ts'
import { outboxTextRecord } from './schema.ts'
import { createSending } from './sending.ts'
import { outboxStore } from './store.ts'
import type { OutboxStore, StoredEntry } from './store.ts'

export type { OutboxHandler } from './handler.ts'
export { noFacts } from './judge.ts'
export { outboxSchema } from './schema.ts'
export type { StoredEntry } from './store.ts'

type Inputs = InferContractRouterInputs<Contract['outbox']>
type Outputs = InferContractRouterOutputs<Contract['outbox']>

export type NewEntry = {
  kind: OutboxKind
  subjectId: string
  title: string
  subtitle: string
  seen: OutboxFacts
  seenAt: number
  wanted: OutboxFacts
  text?: string
}

/** Milliseconds between two comparisons of the queued changes. */
const COMPARE_EVERY_MS = 60_000

/**
 * Changes made while the service couldn't be reached: stored, compared when it is back, and sent on
 * a person's approval.
 */
export function createOutbox(context: CoreContext) {
  const handlers = new Map<OutboxKind, OutboxHandler>()
  const rounds = new Map<string, Rounds>()
  const busy = new Set<Promise<unknown>>()
  const storeOf = (accountId: string): OutboxStore => {
    context.accounts.get(accountId)
    return outboxStore(context.mirrors.database(accountId))
  }
  const handlerOf = (kind: OutboxKind): OutboxHandler => {
    const handler = handlers.get(kind)
    if (handler === undefined) throw new Error(`no feature sends ${kind}`)
    return handler
  }
  const textOf = (accountId: string, entry: StoredEntry): string | null =>
    entry.textSealed === null
      ? null
      : context.vault.open(accountId, outboxTextRecord(entry.entryId), entry.textSealed).toString()
  const changed = (accountId: string, entryId: string | null = null): void =>
    context.changes.notify('outbox', accountId, entryId)
  const shown = (
    accountId: string,
    { textSealed: _sealed, ...entry }: StoredEntry,
  ): OutboxEntry => ({ ...entry, accountId })

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
          readAgain(entry.kind, present),
          readAs(entry, present, judgement),
        )
    })
    changed(accountId, entryId)
  }

  const sending = createSending({ context, storeOf, handlerOf, compare, textOf, changed })

  async function compareAll(accountId: string, signal?: AbortSignal): Promise<void> {
    for (const { entryId, state } of storeOf(accountId).open()) {
      signal?.throwIfAborted()
      if (state !== 'waiting') await sending.settle(accountId, entryId)
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
        pause: () => COMPARE_EVERY_MS,
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

  function each(
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
    changed(accountId)
    return entryIds
      .flatMap((entryId) => store.find(entryId) ?? [])
      .map((entry) => shown(accountId, entry))
  }

  return {
    /**
     * Registers how a feature's changes are compared and sent; once per kind, before the accounts
     * start.
     */
    register: (kind: OutboxKind, handler: OutboxHandler): void => void handlers.set(kind, handler),
    /**
     * Stores a change until it can be sent. A waiting entry of the same subject is updated instead.
     * Requires an open vault if there is a text.
     */
    add(accountId: string, entry: NewEntry): OutboxEntry {
      const store = storeOf(accountId)
      const now = context.clock.now()
      const entryId = store.transaction(() => {
        const waiting =
          entry.kind === 'dispute-answer' ? null : store.openOf(entry.kind, entry.subjectId)
        if (waiting !== null && waiting.state !== 'waiting')
          throw failure(
            'CONFLICT',
            'An earlier change of the same item is being sent.',
            'Wait for its result, then try again.',
            { effect: 'Your change wasn’t queued.' },
          )
        if (waiting !== null) {
          store.rewrite(waiting.entryId, entry.wanted, now)
          store.note(waiting.entryId, now, youWant(entry), 'Replaces your earlier change')
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
        store.note(id, entry.seenAt, 'Last seen on the service', wasSeen(entry))
        const { state, since } = context.connection(accountId).state()
        if (state === 'offline' && since !== null && since >= entry.seenAt)
          store.note(id, since, 'Connection lost', 'The change was queued')
        store.note(id, now, youWant(entry), 'Added to queued changes')
        return id
      })
      changed(accountId, entryId)
      void rounds.get(accountId)?.now()
      const kept = store.find(entryId)
      if (kept === null) throw new Error('an outbox entry disappeared right after it was written')
      return shown(accountId, kept)
    },
    /** Open entries of some kinds, by subject. */
    waiting(accountId: string, kinds: readonly OutboxKind[]): Map<string, OutboxEntry[]> {
      return Map.groupBy(
        storeOf(accountId)
          .open()
          .filter(({ kind }) => kinds.includes(kind))
          .map((entry) => shown(accountId, entry)),
        ({ subjectId }) => subjectId,
      )
    },
    /** Discards the entry of a subject that was changed directly, without the outbox. */
    supersede(accountId: string, kind: OutboxKind, subjectId: string): void {
      const store = storeOf(accountId)
      const entry = store.openOf(kind, subjectId)
      if (entry?.state === 'waiting')
        each(accountId, [entry.entryId], (_, each_) =>
          drop(store, each_, 'You made another change'),
        )
    },
    list({ accountId, tab = 'waiting', query = '', window }: Inputs['list']): Outputs['list'] {
      const store = storeOf(accountId)
      const found = store.list(tab, query, window?.offset ?? 0, window?.limit ?? 100)
      return { ...found, rows: found.rows.map((entry) => shown(accountId, entry)), ...store.sums() }
    },
    entry({ accountId, entryId }: Inputs['entry']): Outputs['entry'] {
      const store = storeOf(accountId)
      const entry = store.find(entryId)
      if (entry === null)
        throw failure('NOT_FOUND', 'Queued change not found.', 'Check the list of queued changes.')
      return {
        ...shown(accountId, entry),
        text: textOf(accountId, entry),
        events: store.events(entryId),
      }
    },
    compare: ({ accountId }: Inputs['compare']): Promise<void> => compareAll(accountId),
    async send({
      accountId,
      entryIds,
      priceCents,
      shown: asShown,
    }: Inputs['send']): Promise<Outputs['send']> {
      if (priceCents !== undefined && entryIds.length > 1)
        throw failure(
          'INVALID_INPUT',
          'One price can’t be sent for several entries.',
          'Send them one by one.',
          { effect: 'Nothing was sent.' },
        )
      for (const entryId of entryIds)
        await sending.send(accountId, entryId, priceCents ?? null, asShown?.[entryId])
      const store = storeOf(accountId)
      return entryIds
        .flatMap((entryId) => store.find(entryId) ?? [])
        .map((entry) => shown(accountId, entry))
    },
    drop: ({ accountId, entryIds }: Inputs['drop']): Outputs['drop'] =>
      each(accountId, entryIds, (store, entry) =>
        drop(
          store,
          entry,
          entry.verdict === 'already' ? 'Nothing to send: already as you wanted' : 'Dropped',
        ),
      ),
    takeBack({ accountId, entryIds }: Inputs['takeBack']): Outputs['takeBack'] {
      const after = each(accountId, entryIds, (store, entry) => {
        if (
          entry.state !== 'dropped' ||
          (entry.kind !== 'dispute-answer' && store.openOf(entry.kind, entry.subjectId) !== null)
        )
          return
        store.setState(entry.entryId, 'waiting', null, null)
        store.note(entry.entryId, context.clock.now(), 'Restored', 'Queued again')
      })
      void rounds.get(accountId)?.now()
      return after
    },
    /** Resolves when no comparison is in progress; the accounts' signals stop the poll loops. */
    close: async (): Promise<void> => {
      await Promise.allSettled(busy)
    },
  }

  function drop(store: OutboxStore, entry: StoredEntry, why: string): void {
    if (entry.state !== 'waiting') return
    store.setState(entry.entryId, 'dropped', entry.problem, context.clock.now())
    store.note(entry.entryId, context.clock.now(), why, 'Nothing was sent')
  }
}
export type Outbox = ReturnType<typeof createOutbox>

const youWant = ({ kind, wanted }: Pick<NewEntry, 'kind' | 'wanted'>): string => {
  if (kind === 'dispute-answer') return 'You wrote an answer'
  if (kind === 'offer-status') return `You chose ${wanted.status ?? ''}`
  return `You typed ${formatEuros(cents(wanted.priceCents ?? 0))}`
}

function wasSeen({ kind, seen }: NewEntry): string {
  if (kind === 'offer-new') return 'In the catalogue'
  if (kind === 'dispute-answer')
    return `${seen.messages ?? 0} ${seen.messages === 1 ? 'message' : 'messages'}`
  return kind === 'offer-status'
    ? `Was ${seen.status ?? 'unknown'}`
    : `Price ${formatEuros(cents(seen.priceCents ?? 0))}`
}

/** Summarizes a comparison in a few words; the reason for a decision is shown with the choices. */
function readAs(
  { kind, seen, wanted }: StoredEntry,
  present: OutboxFacts | null,
  { verdict, reason }: Judgement,
): string {
  if (verdict === 'already') return 'Already as you want it'
  if (verdict === 'ready') return 'Same as when you changed it'
  if (kind === 'offer-price' && present !== null && present.priceCents !== seen.priceCents)
    return `Neither ${formatEuros(cents(seen.priceCents ?? 0))} nor ${formatEuros(cents(wanted.priceCents ?? 0))}`
  return reason ?? ''
}

function readAgain(kind: OutboxKind, present: OutboxFacts | null): string {
  if (present === null) return 'Compared: no longer exists'
  if (kind === 'offer-status') return `Compared: ${present.status ?? 'unknown'}`
  if (kind === 'dispute-answer')
    return `Compared: ${present.messages ?? 0} ${present.messages === 1 ? 'message' : 'messages'}`
  return present.priceCents === null
    ? 'Compared: no offer'
    : `Compared: ${formatEuros(cents(present.priceCents))}`
}
