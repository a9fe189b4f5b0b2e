import type { OutboxFacts, OutboxKind } from '../../contract/outbox.ts'
import { localized } from '../../contract/localization/localized.ts'
import type { Localized } from '../../contract/localization/localized.ts'
import type { CoreContext } from '../context.ts'
import { Failure, failure } from '../failure.ts'
import type { OutboxHandler } from './handler.ts'
import { compareFacts } from './compare-facts.ts'
import type { OutboxStore, StoredEntry } from './store.ts'

type Dependencies = {
  context: CoreContext
  storeOf: (accountId: string) => OutboxStore
  handlerOf: (kind: OutboxKind) => OutboxHandler
  compare: (accountId: string, entryId: string) => Promise<void>
  textOf: (accountId: string, entry: StoredEntry) => string | null
  changed: (accountId: string, entryId: string) => void
}

const isUnknown = ({ certainty }: Failure): boolean => certainty === 'unknown'

/**
 * Sends entries: recorded before the request is sent, settled once. After a lost response, the
 * result is determined before anything else is done with the entry.
 */
export function createSending({
  context,
  storeOf,
  handlerOf,
  compare,
  textOf,
  changed,
}: Dependencies) {
  /** Runs one operation per entry at a time. */
  const inFlight = new Map<string, Promise<void>>()
  const runExclusively = (entryId: string, work: () => Promise<void>): Promise<void> => {
    const turn = (inFlight.get(entryId) ?? Promise.resolve()).then(work, work)
    const done = turn.finally(() => {
      if (inFlight.get(entryId) === done) inFlight.delete(entryId)
    })
    inFlight.set(entryId, done)
    return done
  }

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

  async function settle(accountId: string, entryId: string): Promise<void> {
    const entry = storeOf(accountId).find(entryId)
    if (entry === null || (entry.state !== 'sending' && entry.state !== 'unknown')) return
    const handler = handlerOf(entry.kind)
    const done =
      handler.wasApplied === undefined
        ? compareFacts(
            entry.kind,
            entry.seen,
            await handler.readCurrent(accountId, entry),
            entry.wanted,
          ).verdict === 'already'
        : await handler.wasApplied(accountId, entry, textOf(accountId, entry))
    if (done)
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

  /**
   * The person decided to send on the basis of `shown`, or of the last state read. If the state is
   * different now, the entry comes back for a decision.
   */
  async function send(
    accountId: string,
    entryId: string,
    priceCents: number | null,
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
    recordState(
      accountId,
      entryId,
      'sending',
      localized('outbox.sending'),
      localized('outbox.approved'),
    )
    try {
      await handlerOf(entry.kind).send(accountId, entry, text)
      recordState(
        accountId,
        entryId,
        'sent',
        localized('outbox.sent'),
        localized('outbox.service-has-change'),
      )
    } catch (error) {
      if (!(error instanceof Failure)) {
        recordState(
          accountId,
          entryId,
          'unknown',
          localized('outbox.response-lost'),
          localized('outbox.checking'),
        )
        throw error
      }
      if (isUnknown(error))
        recordState(
          accountId,
          entryId,
          'unknown',
          localized('outbox.response-lost'),
          localized('outbox.checking'),
          error.problem,
        )
      else
        recordState(
          accountId,
          entryId,
          'waiting',
          localized('outbox.not-sent'),
          localized('text', { text: error.problem.what }),
          error.problem,
        )
      if (isUnknown(error))
        await settle(accountId, entryId).catch((reason: unknown) => {
          if (!(reason instanceof Failure)) throw reason
        })
      else if (error.problem.code === 'CHANGED_MEANWHILE') await compare(accountId, entryId)
    }
  }

  return {
    send: (
      accountId: string,
      entryId: string,
      priceCents: number | null,
      shown?: OutboxFacts | null,
    ): Promise<void> => runExclusively(entryId, () => send(accountId, entryId, priceCents, shown)),
    /**
     * Determines the result of an entry that was in flight when the response was lost or Keydesk
     * was killed.
     */
    settle: (accountId: string, entryId: string): Promise<void> =>
      runExclusively(entryId, () => settle(accountId, entryId)),
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
