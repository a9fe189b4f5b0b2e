import type { Cents } from '../../../../server/api/money.ts'
import type { OfferRow } from '../../../contract/offers/offers.ts'
import { isFresh } from '../../clock.ts'
import type { Offers } from '../../offers/offers.ts'
import type { Outbox } from '../../outbox/outbox.ts'
import type { PriceWatchContext } from '../context.ts'
import { entryOf, factsOf } from './offer-facts.ts'
import { createLeadHours } from './lead-hours.ts'
import { createOfferMemory } from './offer-memory.ts'
import { createOtherShops } from './other-shops.ts'
import { createDecisionLog } from '../reports/decision-log.ts'
import { isChange } from '../rules/reasons.ts'
import { decide } from '../rules/decide.ts'
import type {
  Decision,
  WatchConditions,
  OfferFacts,
  StoredRule,
  WatchState,
} from '../rules/facts.ts'
import { isTimed, ruleFor } from '../rules/fits.ts'
import type { PriceRules } from '../rules/price-rules.ts'
import { notAfter, observe } from '../rules/state.ts'
import { watchStore } from '../store.ts'
import { createPauseNotices, createNoticeCollector, isNoticeReason } from './notices.ts'
import type { KnownRule, Proposal } from '../store.ts'

/** Offers decided in one transaction; other work runs in between. */
const BATCH = 250
/** Older readings are stale. */
const staleMs = 15 * 60_000

/** One offer in the price watch, with its latest decision. */
export type Watched = {
  row: OfferRow
  facts: OfferFacts
  state: WatchState
  stored: StoredRule | null
  decision: Decision
}

type DecisionContext = {
  elsewhere: ReadonlyMap<string, Cents>
  waiting: ReadonlySet<string>
  sending: Pick<ReadonlySet<string>, 'has'>
  proposed: ReadonlyMap<string, Proposal>
  conditions: WatchConditions
}

/**
 * The price engine of one account: its state in memory, which is also in the journal, and its
 * decisions.
 */
export function createPriceEngine({
  context,
  offers,
  outbox,
  priceRules: rules,
  accountId,
}: {
  context: PriceWatchContext
  offers: Offers
  outbox: Outbox
  priceRules: Pick<PriceRules, 'of' | 'changed'>
  accountId: string
}) {
  const store = watchStore(context.mirrors.database(accountId))
  const log = createDecisionLog(store.db)
  const memory = createOfferMemory(store)
  const { stateOf, lookOf, remember, suspended } = memory
  const watched = new Map<string, Watched>()
  const behind = new Set<string>()
  const telling = createNoticeCollector(context.clock)
  const pauses = createPauseNotices()
  const elsewhere = createOtherShops(context, offers, accountId)
  const leadHours = createLeadHours(context.clock, store.db, () => [...watched.keys()])

  const rulesNow = (): KnownRule[] => rules.of(accountId)
  const conditions = (): WatchConditions => ({ stopped: store.stoppedAt() !== null, staleMs })

  /** Open proposals and sends, and whether sending is stopped: read once per batch. */
  const openNow = (
    sending: DecisionContext['sending'],
  ): Pick<DecisionContext, 'sending' | 'proposed' | 'conditions'> => ({
    sending,
    proposed: store.proposals(),
    conditions: conditions(),
  })
  const waitingOffers = (): ReadonlySet<string> =>
    new Set(outbox.waiting(accountId, ['offer-price']).keys())

  /** Observes and decides one offer, and records what is new. Call inside a transaction. */
  function consider(row: OfferRow, around: DecisionContext): Watched {
    const now = context.clock.now()
    const facts = factsOf(row, lookOf(row.offerId), {
      ownElsewhereCents: around.elsewhere.get(row.productId) ?? null,
      waits: around.waiting.has(row.offerId),
    })
    const before = notAfter(stateOf(row.offerId), now)
    const isOurs =
      before !== null &&
      before.ownCents !== facts.priceCents &&
      store.wasSentHere(row.offerId, facts.priceCents, { now, unreadSince: before.ownSince })
    let state = observe(before, facts, isOurs)
    const stored = ruleFor(rulesNow(), facts, now)
    const decision = decide(stored, facts, state, now, around.conditions)
    if (decision.hold !== null) state = { ...state, hold: { ...decision.hold, since: now } }
    else if (state.hold !== null && state.hold.until !== null && state.hold.until <= now)
      state = { ...state, hold: null }
    if (state !== before) remember(row.offerId, state)
    if (stored !== null || before?.ownCents !== facts.priceCents)
      log.write(entryOf(facts, state, stored, decision, now))
    const result: Watched = { row, facts, state, stored, decision }
    // A state that existed when Keydesk started is not an event.
    const earlier = watched.get(row.offerId)?.decision.reason
    if (earlier !== undefined && earlier !== decision.reason && isNoticeReason(decision.reason))
      telling.add({ reason: decision.reason, offerId: row.offerId, name: row.name })
    watched.set(row.offerId, result)
    if (state.lead === 'behind') behind.add(row.offerId)
    else behind.delete(row.offerId)
    updateProposal(result, around)
    return result
  }

  /**
   * Updates the offer's proposal to the decision, or queues the price if the rule has auto-apply.
   */
  function updateProposal(
    { facts: { offerId, priceCents, bestCents }, stored, decision }: Watched,
    { sending, proposed }: DecisionContext,
  ): void {
    if (sending.has(offerId)) return
    const { reason, targetCents, targetCustomerCents } = decision
    const known = proposed.get(offerId)
    if (stored === null || targetCents === null || !isChange(reason))
      return known === undefined ? undefined : void store.dropProposal(offerId)
    const wish = {
      offerId,
      ruleId: stored.ruleId,
      reason,
      fromCents: priceCents,
      targetCents,
      bestCents,
    }
    if (stored.mode === 'auto' && !suspended()) {
      store.queue({ ...wish, sendId: context.random.id(), sentBy: 'auto' }, context.clock.now())
      store.dropProposal(offerId)
      return
    }
    if (
      known !== undefined &&
      known.targetCents === targetCents &&
      known.fromCents === priceCents &&
      known.ruleId === stored.ruleId
    )
      return
    store.propose({
      ...wish,
      proposalId: context.random.id(),
      targetCustomerCents,
      at: context.clock.now(),
    })
  }

  /**
   * Offers whose decision can change without a new reading: a hold is over, they became stale, or
   * their queued changes differ. Null: any offer, because a rule has hours or dates or the seller
   * has other shops.
   */
  function dueNow(): string[] | null {
    const now = context.clock.now()
    if (
      rulesNow().some(({ mode, rule }) => mode !== 'off' && isTimed(rule)) ||
      elsewhere().size > 0
    )
      return null
    const waiting = waitingOffers()
    return [...watched.values()].flatMap(
      ({ facts: { offerId, seenAt, waits }, decision: { until, reason } }) =>
        (until !== null && until <= now) ||
        waits !== waiting.has(offerId) ||
        (reason !== 'stale' && !isFresh(context.clock, seenAt, staleMs))
          ? [offerId]
          : [],
    )
  }
  async function decideAll(signal: AbortSignal): Promise<void> {
    const around = { elsewhere: elsewhere(), waiting: waitingOffers() }
    const seen = new Set<string>()
    for (let after = ''; ;) {
      signal.throwIfAborted()
      const rows = offers.pricing.after(accountId, after, BATCH)
      const last = rows.at(-1)
      if (last === undefined) break
      store.transaction(() => {
        const open = openNow(new Set(store.openOffers()))
        rows.forEach((row) => consider(row, { ...around, ...open }))
      })
      for (const { offerId } of rows) seen.add(offerId)
      after = last.offerId
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
    }
    for (const offerId of watched.keys())
      if (!seen.has(offerId)) {
        watched.delete(offerId)
        behind.delete(offerId)
        store.dropProposal(offerId)
      }
    memory.setPresent(seen)
  }
  function decideSome(offerIds: readonly string[]): Watched[] {
    const around = { elsewhere: elsewhere(), waiting: waitingOffers() }
    const rows = offers.pricing.byIds(accountId, offerIds)
    return store.transaction(() => {
      // Thousands of sends can be open: few offers are looked up one by one.
      const open = openNow({ has: (offerId) => store.openSend(offerId) !== null })
      return rows.map((row) => consider(row, { ...around, ...open }))
    })
  }

  async function decideInBatches(
    offerIds: readonly string[],
    signal: AbortSignal,
  ): Promise<number> {
    for (let from = 0; from < offerIds.length; from += BATCH) {
      signal.throwIfAborted()
      decideSome(offerIds.slice(from, from + BATCH))
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
    }
    return offerIds.length
  }

  return {
    store,
    log,
    rules: rulesNow,
    /** Reads the rules again before the next decision. */
    rulesChanged: (): void => rules.changed(accountId),
    conditions,
    foreign: memory.changedElsewhere,
    suspended,
    leadHours,
    /** Sends notifications about events since the last call. */
    notify(): void {
      for (const notice of [
        ...telling.take(),
        ...pauses({ at: context.clock.now(), suspended: suspended(), rules: rulesNow() }),
      ])
        context.notices.notify({ accountId, ...notice })
    },
    watched: (): ReadonlyMap<string, Watched> => watched,
    /** Offers that another offer sells before. */
    behind: (): ReadonlySet<string> => behind,
    stateOf,
    lookOf,
    remember,
    saveLookups: memory.saveLookups,
    /** Decides the given offers by the current mirror. */
    consider: decideSome,
    /** Decides all offers in batches. */
    considerAll: decideAll,
    /**
     * Decides changed offers and those whose decision can change without a new reading, in batches.
     * Returns how many.
     */
    async decideDue(signal: AbortSignal): Promise<number> {
      const due = dueNow()
      if (due === null) {
        await decideAll(signal)
        return watched.size
      }
      return decideInBatches(
        [...new Set([...offers.pricing.takeChanged(accountId), ...due])],
        signal,
      )
    },
    /**
     * Decides changed offers in batches, unless all of them have yet to be decided. Returns how
     * many.
     */
    decideChanged: async (signal: AbortSignal): Promise<number> =>
      watched.size === 0 ? 0 : decideInBatches(offers.pricing.takeChanged(accountId), signal),
  }
}
export type PriceEngine = ReturnType<typeof createPriceEngine>
