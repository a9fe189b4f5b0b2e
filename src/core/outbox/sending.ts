import type { OutboxFacts, OutboxKind } from '../../contract/outbox.ts'
import type { CoreContext } from '../context.ts'
import { Failure, failure } from '../failure.ts'
import type { OutboxHandler } from './handler.ts'
import { judge } from './judge.ts'
import type { OutboxStore, StoredEntry } from './store.ts'

type Parts = {
  context: CoreContext
  storeOf: (accountId: string) => OutboxStore
  handlerOf: (kind: OutboxKind) => OutboxHandler
  compare: (accountId: string, entryId: string) => Promise<void>
  textOf: (accountId: string, entry: StoredEntry) => string | null
  changed: (accountId: string, entryId: string) => void
}

const isUnknown = ({ certainty }: Failure): boolean => certainty === 'unknown'

/**
 * Sends entries: written down before the first byte leaves, settled once; an answer that got lost
 * is looked into before anything else happens.
 */
export function createSending({ context, storeOf, handlerOf, compare, textOf, changed }: Parts) {
  /** One thing at a time happens to an entry. */
  const inHand = new Map<string, Promise<void>>()
  const alone = (entryId: string, work: () => Promise<void>): Promise<void> => {
    const turn = (inHand.get(entryId) ?? Promise.resolve()).then(work, work)
    const done = turn.finally(() => {
      if (inHand.get(entryId) === done) inHand.delete(entryId)
    })
    inHand.set(entryId, done)
    return done
  }

  function put(
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
      handler.wasDone === undefined
        ? judge(entry.kind, entry.seen, await handler.present(accountId, entry), entry.wanted)
            .verdict === 'already'
        : await handler.wasDone(accountId, entry, textOf(accountId, entry))
    if (done) put(accountId, entryId, 'sent', 'Sent', 'The answer was lost; the service has it')
    else
      put(
        accountId,
        entryId,
        'waiting',
        'Not sent',
        'The answer was lost, and the service does not have it',
      )
  }

  /**
   * The person saw `shown`, or what was last read, when saying "send": anything else comes back to
   * be decided.
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
      throw failure('INVALID_INPUT', 'This entry has no price.', 'Send it as it is.', {
        effect: 'Nothing was sent.',
      })
    await compare(accountId, entryId)
    const now = store.find(entryId)
    if (now?.state !== 'waiting' || now.verdict === 'gone' || now.verdict === 'already') return
    const nothingShown = shown === undefined && before.presentAt === null
    if (
      nothingShown
        ? now.verdict !== 'ready'
        : !sameFacts(shown === undefined ? before.present : shown, now.present)
    )
      return put(accountId, entryId, 'waiting', 'Not sent', 'It had changed again since you looked')
    if (priceCents !== null) store.want(entryId, { ...now.wanted, priceCents, customerCents: null })
    const entry = store.find(entryId) ?? now
    const text = textOf(accountId, entry)
    put(accountId, entryId, 'sending', 'Being sent', 'You approved it')
    try {
      await handlerOf(entry.kind).send(accountId, entry, text)
      put(accountId, entryId, 'sent', 'Sent', 'The service has it')
    } catch (error) {
      if (!(error instanceof Failure)) {
        put(
          accountId,
          entryId,
          'unknown',
          'The answer was lost',
          'Keydesk finds out whether the service has it',
        )
        throw error
      }
      if (isUnknown(error))
        put(
          accountId,
          entryId,
          'unknown',
          'The answer was lost',
          'Keydesk finds out whether the service has it',
          error.problem,
        )
      else put(accountId, entryId, 'waiting', 'Not sent', error.problem.what, error.problem)
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
    ): Promise<void> => alone(entryId, () => send(accountId, entryId, priceCents, shown)),
    /**
     * Finds out what became of an entry that was being sent when the answer, or Keydesk, went away.
     */
    settle: (accountId: string, entryId: string): Promise<void> =>
      alone(entryId, () => settle(accountId, entryId)),
  }
}

/** Whether what a person decides by is the same; a customer price follows from the price. */
const sameFacts = (a: OutboxFacts | null, b: OutboxFacts | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.priceCents === b.priceCents &&
    a.status === b.status &&
    a.messages === b.messages &&
    Math.sign(a.leadCents ?? 0) === Math.sign(b.leadCents ?? 0))
