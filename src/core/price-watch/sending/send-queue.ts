import { shownCode } from '../../../contract/base.ts'
import { stayReasons } from '../../../contract/price-watch/price-rules.ts'
import type { StayReason } from '../../../contract/price-watch/price-rules.ts'
import { isFresh } from '../../clock.ts'
import { Failure } from '../../failure.ts'
import type { Offers } from '../../offers/offers.ts'
import type { PriceWatchContext } from '../context.ts'
import { entryOf } from '../engine/offer-facts.ts'
import type { PriceEngine } from '../engine/price-engine.ts'
import { maxReadingAgeMs, preSendRejection } from './pre-send-check.ts'
import type { PreSendRejection } from './pre-send-check.ts'
import { isChange } from '../rules/reasons.ts'
import { afterChange } from '../rules/state.ts'
import type { Send } from './send-store.ts'
import { createThrottle } from '../../throttle.ts'
import { DAY_MS } from '../../../../server/api/time.ts'

const HOLD_REFUSED_MS = 3_600_000
/** How many prices are checked together, and journaled and settled in one transaction each. */
const BATCH_SIZE = 8
/** How often a screen is told that prices were sent, in milliseconds. */
const NOTIFY_EVERY_MS = 250
/** Reasons of the pre-send check that resolve without a person. */
const temporaryReasons: ReadonlySet<string> = new Set<
  PreSendRejection | 'market-moved' | StayReason
>(['stopped', 'price-moved', 'not-fresh', 'rule-gone', 'market-moved', ...stayReasons])

const canBeSentLater = ({ certainty, retry }: Failure): boolean =>
  certainty === 'not-done' && retry === 'wait'

class PreSendError extends Error {
  readonly refusal: PreSendRejection
  constructor(refusal: PreSendRejection) {
    super(`rejected by the pre-send check: ${refusal}`)
    this.refusal = refusal
  }
}

type Parts = {
  context: PriceWatchContext
  offers: Offers
  accountId: string
  keeper: PriceEngine
  lookUp: (offerIds: readonly string[], signal: AbortSignal) => Promise<void>
  changed: () => void
}

type Tail<List extends readonly unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never
/** What became of a price: recorded in a transaction. */
type Outcome = { readonly send: Send; readonly record: () => void }
/** `later`: the service can't be reached. A Failure: the offer can't be read. */
type Reading = 'known' | 'gone' | 'later' | Failure

/**
 * Sends approved and auto-applied prices in small batches: each batch is read again, checked,
 * journaled, sent and settled. Its prices are sent one after the other, each checked once more, so
 * that a stop always comes before the next price.
 */
export function createSendQueue({
  context,
  offers,
  accountId,
  keeper,
  lookUp,
  changed: notify,
}: Parts) {
  const { store, log } = keeper
  const changed = createThrottle(context.clock, NOTIFY_EVERY_MS, notify)
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
    const known = keeper.watched().get(send.offerId)
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
    if (
      before !== null &&
      (state === 'refused' || (reason === 'last-check' && !temporaryReasons.has(note ?? '')))
    )
      keeper.remember(send.offerId, {
        ...before,
        hold: { why: 'refused', until: now + HOLD_REFUSED_MS, since: now },
      })
    if (known === undefined) return
    const entry = entryOf(
      known.facts,
      known.state,
      known.stored,
      { ...known.decision, reason, targetCents: send.targetCents },
      now,
    )
    log.write({
      ...entry,
      beforeCents: send.fromCents,
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

  function lastCheck(send: Send): void {
    const [row] = offers.pricing.byIds(accountId, [send.offerId])
    const now = context.clock.now()
    const stored = store
      .rules()
      .find(
        ({ ruleId, mode }) =>
          ruleId === send.ruleId && (send.sentBy === 'person' ? mode !== 'off' : mode === 'auto'),
      )
    const refusal =
      row === undefined
        ? 'not-selling'
        : preSendRejection({
            rule: stored?.rule ?? null,
            targetCents: send.targetCents,
            fromCents: send.fromCents,
            priceCents: row.priceCents,
            status: row.status,
            stock: row.stock,
            commissionPercent: row.commission?.percent ?? null,
            costCents: row.costCents,
            ownFloorCents: row.ownFloorCents,
            ownCeilingCents: row.ownCeilingCents,
            readAt: row.seenAt,
            now,
            stopped: store.stoppedAt() !== null,
            changesToday:
              keeper.stateOf(send.offerId)?.changes.filter(({ at }) => at > now - DAY_MS).length ??
              0,
          })
    if (refusal !== null) throw new PreSendError(refusal)
  }

  /** Reads the offer again unless that was done a moment ago. */
  async function readAgain(send: Send, signal: AbortSignal): Promise<Reading> {
    const [row] = offers.pricing.byIds(accountId, [send.offerId])
    if (row !== undefined && isFresh(context.clock, row.seenAt, maxReadingAgeMs / 2)) return 'known'
    try {
      const found = await offers.pricing.refreshOffer(accountId, send.offerId, {
        priority: 'watch',
        signal,
      })
      return found === null ? 'gone' : 'known'
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (signal.aborted || canBeSentLater(error)) return 'later'
      return error
    }
  }

  /** The best prices of these sends' offers, looked up unless that was done a moment ago. */
  async function lookUpOld(sends: readonly Send[], signal: AbortSignal): Promise<void> {
    const known = keeper.consider(sends.map(({ offerId }) => offerId))
    const raised = new Set(
      sends.filter(({ reason }) => reason === 'raise').map(({ offerId }) => offerId),
    )
    const old = known
      .map(({ facts }) => facts)
      .filter(
        ({ offerId, bestAt }) =>
          !raised.has(offerId) &&
          (bestAt === null || !isFresh(context.clock, bestAt, maxReadingAgeMs)),
      )
      .map(({ offerId }) => offerId)
    if (old.length === 0) return
    await lookUp(old, signal)
    keeper.consider(old)
  }

  /**
   * Why a price is no longer right by the current data; null if it is. A person decides again; a
   * rule with auto-apply queues the new price.
   */
  function objection(send: Send): Outcome | null {
    const known = keeper.watched().get(send.offerId)
    const wanted = known?.decision
    if (
      known === undefined ||
      wanted === undefined ||
      wanted.targetCents === null ||
      !isChange(wanted.reason)
    )
      return outcome(send, 'returned', 'last-check', wanted?.reason ?? 'not-selling')
    return wanted.targetCents !== send.targetCents || known.facts.priceCents !== send.fromCents
      ? outcome(send, 'returned', 'last-check', 'market-moved')
      : null
  }

  /** Reads a batch again. Returns the prices that are still right, and settles the others. */
  async function checked(
    batch: readonly Send[],
    signal: AbortSignal,
  ): Promise<{ wanted: Send[]; goesOn: boolean }> {
    const readings = await Promise.all(batch.map((send) => readAgain(send, signal)))
    const readingOf = (send: Send): Reading | undefined => readings[batch.indexOf(send)]
    const present = batch.filter((send) => readingOf(send) === 'known')
    await lookUpOld(present, signal)
    if (signal.aborted) return { wanted: [], goesOn: false }
    const outcomes = batch.flatMap((send): Outcome[] => {
      const reading = readingOf(send)
      // The offer couldn't be read, so nothing was sent.
      if (reading instanceof Failure)
        return [outcome(send, 'returned', 'answer-lost', shownCode(reading.problem))]
      if (reading === 'gone') return [outcome(send, 'returned', 'last-check', 'not-selling')]
      return reading === 'known' ? [objection(send) ?? []].flat() : []
    })
    settle(outcomes)
    const settled = new Set(outcomes.map(({ send }) => send))
    return {
      wanted: present.filter((send) => !settled.has(send)),
      goesOn: !readings.includes('later'),
    }
  }

  /**
   * Sends one journaled price. Returns its outcome, null if a lookup settled it or has to wait, and
   * whether the next can follow right away.
   */
  async function sendOne(
    send: Send,
    signal: AbortSignal,
  ): Promise<{ result: Outcome | null; goesOn: boolean }> {
    try {
      const sent = await offers.pricing.sendPrice(
        accountId,
        send.offerId,
        send.targetCents,
        { write: () => lastCheck(send) },
        { priority: 'watch', signal },
      )
      if (sent.state === 'done')
        return { result: outcome(send, 'applied', 'applied', null), goesOn: true }
      // It stays in flight until it is looked up.
      if (sent.state === 'unknown')
        return { result: null, goesOn: await settleUnknown(send, signal) }
      if (canBeSentLater(sent.failure)) return { result: notSent(send), goesOn: false }
      const code = shownCode(sent.failure.problem)
      return { result: outcome(send, 'refused', 'refused', code), goesOn: true }
    } catch (error) {
      if (!(error instanceof PreSendError)) throw error
      return { result: outcome(send, 'returned', 'last-check', error.refusal), goesOn: true }
    }
  }

  /** Sends a batch. Returns whether the next can follow right away. */
  async function sendBatch(batch: readonly Send[], signal: AbortSignal): Promise<boolean> {
    const { wanted, goesOn: isReachable } = await checked(batch, signal)
    store.transaction(() => {
      for (const send of wanted) {
        store.recordSentPrice(send.offerId, send.targetCents, context.clock.now())
        store.setSend(send.sendId, 'sending', null, null)
      }
    })
    let goesOn = isReachable
    const outcomes: Outcome[] = []
    try {
      for (const send of wanted) {
        if (!goesOn || signal.aborted) {
          outcomes.push(notSent(send))
          continue
        }
        const sent = await sendOne(send, signal)
        goesOn = sent.goesOn
        if (sent.result !== null) outcomes.push(sent.result)
      }
    } finally {
      settle(outcomes)
    }
    return goesOn
  }

  /**
   * Settles a price whose response was lost by reading the offer. Returns whether that succeeded.
   */
  async function settleUnknown(send: Send, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false
    const row = await offers.pricing
      .refreshOffer(accountId, send.offerId, { priority: 'watch' })
      .catch((error: unknown) => {
        if (error instanceof Failure) return undefined
        throw error
      })
    if (row === undefined) return false
    settle([
      row !== null && row.priceCents === send.targetCents
        ? outcome(send, 'applied', 'applied', 'answer-lost')
        : outcome(send, 'returned', 'answer-lost', row === null ? 'not-selling' : null),
    ])
    return true
  }

  async function run(ends: AbortSignal): Promise<void> {
    for (const send of store.sends('sending')) if (!(await settleUnknown(send, ends))) return
    for (;;) {
      const signal = AbortSignal.any([ends, halt.signal])
      if (signal.aborted || store.stoppedAt() !== null) return
      const batch = store.nextSends(BATCH_SIZE)
      if (batch.length === 0 || !(await sendBatch(batch, signal))) return
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
      settle(
        store.sends('queued').map((send) => outcome(send, 'returned', 'last-check', 'stopped')),
      )
    },
  }
}
export type SendQueue = ReturnType<typeof createSendQueue>
