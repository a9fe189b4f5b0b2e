import type { Cents } from '../../../../server/api/money.ts'
import type { OutboxFacts, OutboxKind } from '../../../contract/outbox.ts'
import { localized } from '../../../contract/localization/localized.ts'
import type { Localized } from '../../../contract/localization/localized.ts'
import { Failure, failure } from '../../failure.ts'
import { sendJournaled } from '../../journaled-send/journaled-send.ts'
import type { Flights, Settled } from '../../journaled-send/journaled-send.ts'
import type { Scope } from '../../lifecycle/lifecycle.ts'
import type { OutboxContext } from '../context.ts'
import type { OutboxHandler } from '../handler.ts'
import { compareFacts } from '../compare/compare-facts.ts'
import type { OutboxStore, StoredEntry } from '../store.ts'

type Dependencies = {
  context: OutboxContext
  /** Runs the operations of each entry one at a time. */
  scopeOf: (accountId: string) => Scope
  storeOf: (accountId: string) => OutboxStore
  /** Entries that can still arrive at the service, by id. */
  flightsOf: (accountId: string) => Flights
  handlerOf: (kind: OutboxKind) => OutboxHandler
  compare: (accountId: string, entryId: string) => Promise<void>
  textOf: (accountId: string, entry: StoredEntry) => string | null
  changed: (accountId: string, entryId: string) => void
}

/**
 * Sends entries: recorded before the request is sent, settled once. After a lost response, the
 * result is determined before anything else is done with the entry. Until the request can't arrive
 * any more, only its presence at the service is a result.
 */
export function createSending({
  context,
  scopeOf,
  storeOf,
  flightsOf,
  handlerOf,
  compare,
  textOf,
  changed,
}: Dependencies) {
  function recordState(
    accountId: string,
    entryId: string,
    state: StoredEntry['state'],
    what: Localized,
    detail: Localized,
    problem: Failure['problem'] | null = null,
  ): void {
    const store = storeOf(accountId)
    const now = context.clock.now()
    store.transaction(() => {
      store.setState(entryId, state, problem, state === 'sent' ? now : null)
      store.note(entryId, now, what, detail)
    })
    changed(accountId, entryId)
  }

  /** Whether the service has the change. Throws Failure if it can't be asked. */
  async function wasApplied(accountId: string, entry: StoredEntry): Promise<boolean> {
    const handler = handlerOf(entry.kind)
    if (handler.wasApplied !== undefined)
      return handler.wasApplied(accountId, entry, textOf(accountId, entry))
    const current = await handler.readCurrent(accountId, entry)
    return compareFacts(entry.kind, entry.seen, current, entry.wanted).verdict === 'already'
  }

  function recordFound(accountId: string, entryId: string, isApplied: boolean): void {
    if (isApplied)
      recordState(
        accountId,
        entryId,
        'sent',
        localized('outbox.sent'),
        localized('outbox.lost-but-applied'),
      )
    else
      recordState(
        accountId,
        entryId,
        'waiting',
        localized('outbox.not-sent'),
        localized('outbox.lost-not-applied'),
      )
  }

  function recordOutcome(accountId: string, entryId: string, outcome: Settled<void>): void {
    if (outcome.by === 'lookup') return recordFound(accountId, entryId, outcome.state === 'done')
    if (outcome.state === 'done')
      return recordState(
        accountId,
        entryId,
        'sent',
        localized('outbox.sent'),
        localized('outbox.service-has-change'),
      )
    const { problem } = outcome.failure
    if (outcome.state === 'unknown') recordUnknown(accountId, entryId, problem)
    else
      recordState(
        accountId,
        entryId,
        'waiting',
        localized('outbox.not-sent'),
        localized('text', { text: problem.what }),
        problem,
      )
  }

  function recordUnknown(
    accountId: string,
    entryId: string,
    problem: Failure['problem'] | null,
  ): void {
    flightsOf(accountId).note(entryId)
    recordState(
      accountId,
      entryId,
      'unknown',
      localized('outbox.response-lost'),
      localized('outbox.checking'),
      problem,
    )
  }

  const isUnsettled = (entry: StoredEntry | null): entry is StoredEntry =>
    entry?.state === 'sending' || entry?.state === 'unknown'

  async function settle(accountId: string, entryId: string): Promise<void> {
    const entry = storeOf(accountId).find(entryId)
    if (!isUnsettled(entry)) return
    const flights = flightsOf(accountId)
    flights.meet(entryId)
    // Asked before reading: a change that landed during the reading can be missing in it.
    const isFlying = flights.isFlying(entryId)
    const isApplied = await wasApplied(accountId, entry)
    if (!isApplied && isFlying) return
    // A newer change can have replaced it during the lookup.
    if (isUnsettled(storeOf(accountId).find(entryId))) recordFound(accountId, entryId, isApplied)
  }

  /**
   * The person decided to send on the basis of `shown`, or of the last state read. If the state is
   * different now, the entry comes back for a decision.
   */
  async function send(
    accountId: string,
    entryId: string,
    priceCents: Cents | null,
    shown: OutboxFacts | null | undefined,
  ): Promise<void> {
    const store = storeOf(accountId)
    const before = store.find(entryId)
    if (before?.state !== 'waiting') return
    if (priceCents !== null && before.kind !== 'offer-price' && before.kind !== 'offer-new')
      throw failure('INVALID_INPUT', 'This change has no price.', 'Send it without a price.', {
        effect: 'Nothing was sent.',
      })
    await compare(accountId, entryId)
    const now = store.find(entryId)
    if (now?.state !== 'waiting' || now.verdict === 'gone' || now.verdict === 'already') return
    const isNotShown = shown === undefined && before.presentAt === null
    if (
      isNotShown
        ? now.verdict !== 'ready'
        : !sameFacts(shown === undefined ? before.present : shown, now.present)
    )
      return recordState(
        accountId,
        entryId,
        'waiting',
        localized('outbox.not-sent'),
        localized('outbox.changed-again'),
      )
    if (priceCents !== null) store.want(entryId, { ...now.wanted, priceCents, customerCents: null })
    const entry = store.find(entryId) ?? now
    const text = textOf(accountId, entry)
    const outcome = await sendJournaled<void>({
      write: () =>
        recordState(
          accountId,
          entryId,
          'sending',
          localized('outbox.sending'),
          localized('outbox.approved'),
        ),
      send: () =>
        handlerOf(entry.kind)
          .send(accountId, entry, text)
          .catch((error: unknown) => {
            if (!(error instanceof Failure)) recordUnknown(accountId, entryId, null)
            throw error
          }),
      // If the service doesn't have it, it can still arrive.
      lookUp: async () =>
        (await wasApplied(accountId, entry)) ? { state: 'done', result: undefined } : null,
      settle: (settled) => recordOutcome(accountId, entryId, settled),
    })
    if (outcome.state !== 'done' && outcome.failure.problem.code === 'CHANGED_MEANWHILE')
      await compare(accountId, entryId)
  }

  return {
    send: (
      accountId: string,
      entryId: string,
      priceCents: Cents | null,
      shown?: OutboxFacts | null,
    ): Promise<void> =>
      scopeOf(accountId).serial(entryId, () => send(accountId, entryId, priceCents, shown)),
    /**
     * Determines the result of an entry that was in flight when the response was lost or Keydesk
     * was killed.
     */
    settle: (accountId: string, entryId: string): Promise<void> =>
      scopeOf(accountId).serial(entryId, () => settle(accountId, entryId)),
  }
}

/**
 * Whether the facts that a person decides by are equal; the customer price follows from the price.
 */
const sameFacts = (a: OutboxFacts | null, b: OutboxFacts | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.priceCents === b.priceCents &&
    a.status === b.status &&
    a.messages === b.messages &&
    Math.sign(a.leadCents ?? 0) === Math.sign(b.leadCents ?? 0))
