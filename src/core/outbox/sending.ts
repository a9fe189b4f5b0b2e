import type { Cents } from '../../../server/api/money.ts'
import type { OutboxFacts, OutboxKind } from '../../contract/outbox.ts'
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
    what: string,
    detail: string,
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
        'Sent',
        'The response was lost, but the service has the change',
      )
    else
      recordState(
        accountId,
        entryId,
        'waiting',
        'Not sent',
        'The response was lost, and the service doesn’t have the change',
      )
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
        'Not sent',
        'It changed again after you viewed it',
      )
    if (priceCents !== null) store.want(entryId, { ...now.wanted, priceCents, customerCents: null })
    const entry = store.find(entryId) ?? now
    const text = textOf(accountId, entry)
    recordState(accountId, entryId, 'sending', 'Sending', 'You approved it')
    try {
      await handlerOf(entry.kind).send(accountId, entry, text)
      recordState(accountId, entryId, 'sent', 'Sent', 'The service has the change')
    } catch (error) {
      if (!(error instanceof Failure)) {
        recordState(
          accountId,
          entryId,
          'unknown',
          'The response was lost',
          'Keydesk is checking whether the service has the change',
        )
        throw error
      }
      if (isUnknown(error))
        recordState(
          accountId,
          entryId,
          'unknown',
          'The response was lost',
          'Keydesk is checking whether the service has the change',
          error.problem,
        )
      else recordState(accountId, entryId, 'waiting', 'Not sent', error.problem.what, error.problem)
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
      priceCents: Cents | null,
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
