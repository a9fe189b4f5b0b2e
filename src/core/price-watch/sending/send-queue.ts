import { setImmediate } from 'node:timers/promises'
import { shownCode } from '../../../contract/base.ts'
import { canBeSentLater, Failure, isUnread } from '../../failure.ts'
import { entryOf } from '../engine/offer-facts.ts'
import type { Watched } from '../engine/price-engine.ts'
import { customerFor } from '../rules/target.ts'
import { afterChange } from '../rules/state.ts'
import { createSendChecks, isTemporary, SendRejectedError } from './send-checks.ts'
import type { WatchState } from '../rules/facts.ts'
import { createReadings, pace, unlimitedPace } from './readings.ts'
import type { Pace, ReadingParts } from './readings.ts'
import type { Send } from './send-store.ts'
import type { Scope } from '../../lifecycle/lifecycle.ts'
import { createThrottle } from '../../throttle.ts'
import { createUnreadOffers } from './unread-offers.ts'

const HOLD_REFUSED_MS = 3_600_000
/** Number of queued prices returned to the proposals in one transaction. */
const CHUNK_SIZE = 250
/** How often a screen is told that prices were sent, in milliseconds. */
const NOTIFY_EVERY_MS = 250

type Parts = ReadingParts & {
  changed: () => void
  /** The account's files, which notices are written to. */
  files: Pick<Scope, 'onEnd'>
}

/** The hold after a rejection. A hold that lasts longer stays. */
function holdRefused(present: WatchState['hold'], now: number): WatchState['hold'] {
  const until = now + HOLD_REFUSED_MS
  return present !== null && (present.until === null || present.until > until)
    ? present
    : { why: 'refused', until, since: now }
}

type Tail<List extends readonly unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never
/**
 * Whether a price without a response was settled. `flying`: it can still arrive. `unread`: its offer
 * couldn't be read. `later`: the service can't be reached, so the others have to wait too.
 */
type Settling = 'settled' | 'flying' | 'unread' | 'later'
const isReachable = (settling: Settling): boolean => settling === 'settled' || settling === 'flying'
/** What became of a price: recorded in a transaction. */
type Outcome = { readonly send: Send; readonly record: () => void }

/**
 * Sends approved and auto-applied prices in small batches: each batch is read again, checked,
 * journaled, sent and settled. Each price is checked once more right before its request, so that a
 * stop always comes before the next price. Prices are sent one after the other, and a few at a time
 * to a service that doesn't limit requests.
 */
export function createSendQueue({
  context,
  offers,
  accountId,
  keeper,
  lookUp,
  changed: notify,
  files,
}: Parts) {
  const { store, log } = keeper
  const { readBatch, lookUpOld } = createReadings({ context, offers, accountId, keeper, lookUp })
  const changed = createThrottle(
    context.clock,
    NOTIFY_EVERY_MS,
    () => {
      context.changes.notify('offers', accountId)
      notify()
    },
    files,
  )
  const unreadOffers = createUnreadOffers(context.clock, store)
  const checks = createSendChecks({ context, offers, accountId, keeper })
  const paceNow = (): Pace =>
    context.connection(accountId).state().budget.limit === null ? unlimitedPace : pace
  /** What a price was checked by. The offer can be decided again before its outcome is logged. */
  const checkedAs = new Map<string, Watched>()
  let halt = new AbortController()
  let running: Promise<void> | null = null

  /** Records the outcome of a send together with its decision. Call inside a transaction. */
  function record(
    send: Send,
    state: 'applied' | 'refused' | 'returned',
    reason: 'applied' | 'last-check' | 'refused' | 'answer-lost',
    note: string | null,
  ): void {
    const now = context.clock.now()
    const known = checkedAs.get(send.sendId) ?? keeper.watched().get(send.offerId)
    checkedAs.delete(send.sendId)
    store.setSend(send.sendId, state, note, now)
    const before = keeper.stateOf(send.offerId)
    if (state === 'applied' && before !== null)
      keeper.remember(
        send.offerId,
        afterChange(before, {
          at: now,
          fromCents: send.fromCents,
          toCents: send.targetCents,
          reason: send.reason,
        }),
      )
    // A repeated attempt would be rejected again, so the offer is held to give a person time to
    // check.
    if (before !== null && (state === 'refused' || (reason === 'last-check' && !isTemporary(note))))
      keeper.remember(send.offerId, { ...before, hold: holdRefused(before.hold, now) })
    if (known === undefined) return
    const percent = known.facts.commissionPercent
    const entry = entryOf(
      known.facts,
      known.state,
      known.stored,
      {
        ...known.decision,
        reason,
        targetCents: send.targetCents,
        targetCustomerCents: percent === null ? null : customerFor(send.targetCents, percent),
      },
      now,
    )
    log.write({
      ...entry,
      // A price that wasn't sent is logged with the offer's price at its check.
      beforeCents: reason === 'last-check' ? entry.beforeCents : send.fromCents,
      by: send.sentBy,
      inputs: { ...entry.inputs, note: note ?? send.reason },
    })
  }

  /** Records outcomes in one transaction, and decides their offers again. */
  function settle(outcomes: readonly Outcome[]): void {
    if (outcomes.length === 0) return
    store.transaction(() => {
      for (const { record: recordOutcome } of outcomes) recordOutcome()
      keeper.consider(outcomes.map(({ send }) => send.offerId))
    })
    changed()
  }

  const outcome = (send: Send, ...how: Tail<Parameters<typeof record>>): Outcome => ({
    send,
    record: () => record(send, ...how),
  })
  /** Queues a price again that was not sent, or proposes it again if sending was stopped. */
  const notSent = (send: Send): Outcome =>
    store.stoppedAt() === null
      ? { send, record: () => store.setSend(send.sendId, 'queued', null, null) }
      : outcome(send, 'returned', 'last-check', 'stopped')

  const isQueued = ({ sendId }: Send): boolean => store.send(sendId)?.state === 'queued'

  /** Takes queued prices back, so that they are proposed again, and records why. */
  const takeBack = (sends: readonly Send[], note: string): void =>
    settle(sends.map((send) => outcome(send, 'returned', 'last-check', note)))

  /** Takes back all automatic prices, in chunks: there can be as many as offers. */
  async function takeBackSuspended(): Promise<void> {
    const sends = store.queuedByRules()
    for (let from = 0; from < sends.length; from += CHUNK_SIZE) {
      if (from > 0) await setImmediate()
      takeBack(sends.slice(from, from + CHUNK_SIZE).filter(isQueued), 'suspended')
    }
  }

  const objectionTo = (send: Send): Outcome[] => {
    const note = checks.objection(send)
    const known = keeper.watched().get(send.offerId)
    if (note === null && known !== undefined) checkedAs.set(send.sendId, known)
    return note === null ? [] : [outcome(send, 'returned', 'last-check', note)]
  }

  /** Reads a batch again. Returns the prices that are still right, and settles the others. */
  async function checked(
    batch: readonly Send[],
    at: Pace,
    signal: AbortSignal,
  ): Promise<{ wanted: Send[]; canContinue: boolean }> {
    const readings = await readBatch(batch, at, signal)
    const present = batch.filter((send) => readings.get(send) === 'known')
    await lookUpOld(present, signal)
    if (signal.aborted) return { wanted: [], canContinue: false }
    // A person can have taken some back since, for example by turning their rule off.
    const queued = new Set(batch.filter(isQueued))
    const unread = batch.filter((send) => readings.get(send) === 'unread')
    const unreadable = new Set(unread.filter((send) => unreadOffers.note(send)))
    const outcomes = [...queued].flatMap((send): Outcome[] => {
      const reading = readings.get(send)
      // The offer couldn't be read, so nothing was sent.
      if (reading instanceof Failure || unreadable.has(send))
        return [outcome(send, 'returned', 'last-check', 'unreadable')]
      if (reading === 'gone') return [outcome(send, 'returned', 'last-check', 'not-selling')]
      return reading === 'known' ? objectionTo(send) : []
    })
    settle(outcomes)
    const settled = new Set(outcomes.map(({ send }) => send))
    return {
      wanted: present.filter((send) => queued.has(send) && !settled.has(send)),
      // If none of them can be read, the service probably can't be reached.
      canContinue: ![...readings.values()].includes('later') && unread.length < batch.length,
    }
  }

  /**
   * Sends one journaled price. Returns its outcome, null if a lookup settled it or has to wait, and
   * whether the next can follow right away.
   */
  async function sendOne(
    send: Send,
    signal: AbortSignal,
  ): Promise<{ result: Outcome | null; canContinue: boolean }> {
    try {
      const sent = await offers.pricing.sendPrice(
        accountId,
        send.offerId,
        send.targetCents,
        { write: () => checks.assertSendable(send) },
        { priority: 'watch', signal },
      )
      if (sent.state === 'done')
        return { result: outcome(send, 'applied', 'applied', null), canContinue: true }
      // It stays in flight until it is looked up.
      if (sent.state === 'unknown')
        return { result: null, canContinue: isReachable(await settleUnknown(send, signal)) }
      if (canBeSentLater(sent.failure)) return { result: notSent(send), canContinue: false }
      const code = shownCode(sent.failure.problem)
      return { result: outcome(send, 'refused', 'refused', code), canContinue: true }
    } catch (error) {
      if (!(error instanceof SendRejectedError)) throw error
      return { result: outcome(send, 'returned', 'last-check', error.rejection), canContinue: true }
    }
  }

  /** Sends the next batch. Returns whether another can follow right away. */
  async function sendBatch(at: Pace, signal: AbortSignal): Promise<boolean> {
    if (keeper.suspended()) await takeBackSuspended()
    const batch = unreadOffers.next(at.batch)
    if (batch.length === 0) return false
    const { wanted, canContinue } = await checked(batch, at, signal)
    store.transaction(() => {
      for (const send of wanted) {
        store.recordSentPrice(send.offerId, send.targetCents, context.clock.now())
        store.setSend(send.sendId, 'sending', null, null)
      }
    })
    return sendTogether(wanted, canContinue, at, signal)
  }

  /** Sends journaled prices, and settles them together. Returns whether the next can follow. */
  async function sendTogether(
    sends: readonly Send[],
    canStart: boolean,
    { inFlight }: Pace,
    signal: AbortSignal,
  ): Promise<boolean> {
    const waiting = [...sends]
    const outcomes: Outcome[] = []
    let canContinue = canStart
    async function work(): Promise<void> {
      for (let send = waiting.shift(); send !== undefined; send = waiting.shift()) {
        if (!canContinue || signal.aborted) {
          outcomes.push(notSent(send))
          continue
        }
        const sent = await sendOne(send, signal)
        if (!sent.canContinue) canContinue = false
        if (sent.result !== null) outcomes.push(sent.result)
      }
    }
    const results = await Promise.allSettled(Array.from({ length: inFlight }, work))
    // If a defect stops the workers, the remaining prices weren't sent. A price that was being sent
    // stays in flight, and the next run settles it.
    settle([...outcomes, ...waiting.map(notSent)])
    for (const result of results) if (result.status === 'rejected') throw result.reason
    return canContinue
  }

  /**
   * Settles a price whose response was lost by reading the offer. If that isn't possible, or if the
   * price can still arrive, it stays in flight.
   */
  async function settleUnknown(send: Send, signal: AbortSignal): Promise<Settling> {
    if (signal.aborted) return 'later'
    const found = await offers.pricing
      .lookUpPrice(accountId, send.offerId, send.targetCents, { priority: 'watch' })
      .catch((error: unknown) => {
        if (signal.aborted) return 'later'
        // A defect in reading one offer must not keep the others from being sent.
        if (!(error instanceof Failure)) context.report('price watch', error)
        else if (canBeSentLater(error) && !isUnread(error)) return 'later'
        return 'unread'
      })
    if (found === 'later' || found === 'unread' || found === 'flying') return found
    settle([
      found === 'applied'
        ? outcome(send, 'applied', 'applied', 'answer-lost')
        : outcome(send, 'returned', 'answer-lost', found === 'gone' ? 'not-selling' : null),
    ])
    return 'settled'
  }

  async function run(ends: AbortSignal): Promise<void> {
    unreadOffers.beginRun()
    for (const send of store.sends('sending'))
      if ((await settleUnknown(send, ends)) === 'later') return
    for (;;) {
      const signal = AbortSignal.any([ends, halt.signal])
      if (signal.aborted || store.stoppedAt() !== null) return
      if (!(await sendBatch(paceNow(), signal))) return
    }
  }

  return {
    /** Settles open sends and sends queued prices; one run at a time. Reports its errors. */
    pump: (ends: AbortSignal): Promise<void> =>
      (running ??= run(ends)
        .catch((error: unknown) => {
          if (!ends.aborted) context.report('price watch', error)
        })
        .finally(() => {
          running = null
        })),
    /**
     * Stops sending: queued prices are proposed again, and prices in flight are settled by the
     * state on the service.
     */
    stop(): void {
      halt.abort()
      halt = new AbortController()
      takeBack(store.sends('queued'), 'stopped')
    },
    /**
     * Takes back the queued automatic prices of a rule whose auto-apply was turned off. Prices that
     * a person approved and those of other rules stay queued.
     */
    takeBackOf(ruleId: string, note: 'rule-proposes' | 'rule-gone'): void {
      takeBack(store.queuedByRules(ruleId), note)
    },
  }
}
export type SendQueue = ReturnType<typeof createSendQueue>
