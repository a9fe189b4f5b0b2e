import { shownCode } from '../../../contract/base.ts'
import { stayReasons } from '../../../contract/price-watch/price-rules.ts'
import type { StayReason } from '../../../contract/price-watch/price-rules.ts'
import { isFresh } from '../../clock.ts'
import { Failure } from '../../failure.ts'
import type { SendOutcome } from '../../journaled-send/journaled-send.ts'
import type { Offers } from '../../offers/offers.ts'
import type { PriceWatchContext } from '../context.ts'
import { entryOf } from '../engine/offer-facts.ts'
import type { PriceEngine, Watched } from '../engine/price-engine.ts'
import { maxReadingAgeMs, preSendRejection } from './pre-send-check.ts'
import type { PreSendRejection } from './pre-send-check.ts'
import { isChange } from '../rules/reasons.ts'
import { afterChange } from '../rules/state.ts'
import type { Send } from '../store.ts'
import { DAY_MS } from '../../../../server/api/time.ts'

const HOLD_REFUSED_MS = 3_600_000
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

/**
 * Sends approved and auto-applied prices, one after the other: each is journaled, checked again,
 * sent, and then settled.
 */
export function createSendQueue({ context, offers, accountId, keeper, lookUp, changed }: Parts) {
  const { store, log } = keeper
  let halt = new AbortController()
  let running: Promise<void> | null = null

  /** Records the outcome of a send together with its decision. */
  function settle(
    send: Send,
    state: 'applied' | 'refused' | 'returned',
    reason: 'applied' | 'last-check' | 'refused' | 'answer-lost',
    note: string | null,
  ): void {
    const now = context.clock.now()
    const known = keeper.watched().get(send.offerId)
    store.transaction(() => {
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
    })
    keeper.consider([send.offerId])
    changed()
  }

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

  /**
   * The current offer, read again unless that was done a moment ago. Null if it no longer exists.
   */
  async function present(send: Send, signal: AbortSignal): Promise<Watched | null> {
    const [row] = offers.pricing.byIds(accountId, [send.offerId])
    const old = row === undefined || !isFresh(context.clock, row.seenAt, maxReadingAgeMs / 2)
    if (
      old &&
      (await offers.pricing.refreshOffer(accountId, send.offerId, {
        priority: 'watch',
        signal,
      })) === null
    )
      return null
    const known = keeper.consider([send.offerId])[0]
    if (known === undefined) return null
    const bestIsOld =
      known.facts.bestAt === null || !isFresh(context.clock, known.facts.bestAt, maxReadingAgeMs)
    if (!bestIsOld || send.reason === 'raise') return known
    await lookUp([send.offerId], signal)
    return keeper.consider([send.offerId])[0] ?? null
  }

  /** Sends one price. Returns whether the next can follow right away. */
  async function sendOne(send: Send, signal: AbortSignal): Promise<boolean> {
    try {
      if (!(await isStillWanted(send, signal))) return true
      const outcome = await offers.pricing.sendPrice(
        accountId,
        send.offerId,
        send.targetCents,
        { write: () => writeSend(send), settle: (settled) => settleResponse(send, settled) },
        { priority: 'watch', signal },
      )
      if (outcome.state === 'done') return true
      if (outcome.state === 'unknown') return await settleUnknown(send, signal)
      return !canBeSentLater(outcome.failure)
    } catch (error) {
      if (error instanceof PreSendError) {
        settle(send, 'returned', 'last-check', error.refusal)
        return true
      }
      if (!(error instanceof Failure)) throw error
      // The offer couldn't be read, so nothing was sent.
      if (signal.aborted || canBeSentLater(error)) return false
      settle(send, 'returned', 'answer-lost', shownCode(error.problem))
      return true
    }
  }

  /** Reads the market again. A price that is no longer right is settled as returned. */
  async function isStillWanted(send: Send, signal: AbortSignal): Promise<boolean> {
    const known = await present(send, signal)
    const wanted = known?.decision
    if (
      known === null ||
      wanted === undefined ||
      wanted.targetCents === null ||
      !isChange(wanted.reason)
    ) {
      settle(send, 'returned', 'last-check', wanted?.reason ?? 'not-selling')
      return false
    }
    if (wanted.targetCents !== send.targetCents || known.facts.priceCents !== send.fromCents) {
      // The approved price is no longer right. A person decides again; a rule with auto-apply
      // queues the new price.
      settle(send, 'returned', 'last-check', 'market-moved')
      return false
    }
    return true
  }

  function writeSend(send: Send): void {
    lastCheck(send)
    store.transaction(() => {
      store.recordSentPrice(send.offerId, send.targetCents, context.clock.now())
      store.setSend(send.sendId, 'sending', null, null)
    })
  }

  function settleResponse(send: Send, outcome: SendOutcome<unknown>): void {
    if (outcome.state === 'done') return settle(send, 'applied', 'applied', null)
    // It stays in flight until it is looked up.
    if (outcome.state === 'unknown') return
    const { failure } = outcome
    if (canBeSentLater(failure)) store.setSend(send.sendId, 'queued', null, null)
    else settle(send, 'refused', 'refused', shownCode(failure.problem))
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
    if (row !== null && row.priceCents === send.targetCents)
      settle(send, 'applied', 'applied', 'answer-lost')
    else settle(send, 'returned', 'answer-lost', row === null ? 'not-selling' : null)
    return true
  }

  async function run(ends: AbortSignal): Promise<void> {
    for (const send of store.sends('sending')) if (!(await settleUnknown(send, ends))) return
    for (;;) {
      if (ends.aborted || store.stoppedAt() !== null) return
      const send = store.nextSend()
      if (send === null || !(await sendOne(send, AbortSignal.any([ends, halt.signal])))) return
    }
  }

  return {
    /** Settles open sends and sends queued prices; one run at a time. */
    pump: (ends: AbortSignal): Promise<void> =>
      (running ??= run(ends).finally(() => {
        running = null
      })),
    /**
     * Stops sending: queued prices are proposed again, and prices in flight are settled by the
     * state on the service.
     */
    stop(): void {
      halt.abort()
      halt = new AbortController()
      const queued = store.sends('queued')
      for (const send of queued) settle(send, 'returned', 'last-check', 'stopped')
    },
  }
}
export type SendQueue = ReturnType<typeof createSendQueue>
