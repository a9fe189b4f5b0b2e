import type { OfferRow } from '../../contract/offers.ts'
import type { CoreContext } from '../context.ts'
import type { Offers } from '../offers/offers.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { entryOf, factsOf } from './facts-of.ts'
import { leadTimesOfAll } from './leads.ts'
import type { LeadTime } from './leads.ts'
import { createDecisionLog } from './log.ts'
import { isChange } from './reasons.ts'
import { ceilingOf, floorOf } from './rules/bounds.ts'
import { decide } from './rules/decide.ts'
import type { Decision, DeskState, OfferFacts, StoredRule, WatchState } from './rules/facts.ts'
import { ruleFor } from './rules/fits.ts'
import { observe } from './rules/state.ts'
import { watchStore } from './store.ts'
import { createPauses, createTelling, isTold } from './telling.ts'
import type { KnownRule, Look, Proposal } from './store.ts'

/** Offers decided in one transaction; other work goes on in between. */
const BATCH = 250
/** What was read longer ago is stale. */
const staleMs = 15 * 60_000
/** So many offers whose prices were set elsewhere within an hour: somebody else is at work on this shop. */
const FOREIGN_OFFERS = 3
const HOUR_MS = 3_600_000
const HOURS_FRESH_MS = 30_000
/** Prices of this desk's other shops are read anew after so long. */
const ELSEWHERE_MS = 15_000

/** One offer as it stands with the watch. */
export type Watched = { row: OfferRow; facts: OfferFacts; state: WatchState; stored: StoredRule | null; decision: Decision }

type Around = { elsewhere: ReadonlyMap<string, number>; waiting: ReadonlySet<string>; sending: ReadonlySet<string>; proposed: ReadonlyMap<string, Proposal> }

/** What one account's watch remembers, and how it decides. All of it is in the journal too. */
export function createKeeper({ context, offers, outbox, accountId }: { context: CoreContext; offers: Offers; outbox: Outbox; accountId: string }) {
  const store = watchStore(context.mirrors.database(accountId))
  const log = createDecisionLog(store.db)
  const memory = store.memory()
  const watched = new Map<string, Watched>()
  const telling = createTelling(() => context.clock.now())
  const pauses = createPauses()
  let rules: KnownRule[] | null = null
  let others: { at: number; lowest: ReadonlyMap<string, number> } | null = null

  const lookOf = (offerId: string): Look | undefined => memory.get(offerId)
  const stateOf = (offerId: string): WatchState | null => memory.get(offerId)?.state ?? null
  function remember(offerId: string, state: WatchState): void {
    const before = memory.get(offerId)
    store.putState(offerId, state)
    if (before?.state?.lead !== state.lead || before.state.leadSince !== state.leadSince) store.putLead(offerId, state.leadSince, state.lead)
    memory.set(offerId, { bestCents: before?.bestCents ?? null, bestAt: before?.bestAt ?? null, state })
  }

  const rulesNow = (): KnownRule[] => (rules ??= store.rules())
  const desk = (): DeskState => ({ stopped: store.stoppedAt() !== null, staleMs })

  /** The lowest customer price of each product in other shops of this desk on the same service. */
  function elsewhere(): ReadonlyMap<string, number> {
    if (others !== null && context.clock.now() - others.at < ELSEWHERE_MS) return others.lowest
    const { baseUrl } = context.accounts.get(accountId)
    const lowest = new Map<string, number>()
    for (const other of context.accounts.list()) {
      if (other.id === accountId || other.role !== 'seller' || other.baseUrl !== baseUrl) continue
      for (let after = ''; ;) {
        const rows = offers.pricing.after(other.id, after, 1000)
        for (const { productId, status, stock, customerCents } of rows) {
          if (status === 'active' && stock > 0) lowest.set(productId, Math.min(customerCents, lowest.get(productId) ?? Infinity))
        }
        const last = rows.at(-1)
        if (last === undefined) break
        after = last.offerId
      }
    }
    others = { at: context.clock.now(), lowest }
    return lowest
  }
  /** What proposals and sends there are, read once for some offers. */
  const openNow = (): Pick<Around, 'sending' | 'proposed'> => ({ sending: new Set(store.openOffers()), proposed: store.proposals() })
  const waitingOffers = (): ReadonlySet<string> => new Set(outbox.waiting(accountId, ['offer-price']).keys())

  /** Observes and decides one offer; writes down what is new. Call inside a transaction. */
  function consider(row: OfferRow, around: Around): Watched {
    const now = context.clock.now()
    const facts = factsOf(row, lookOf(row.offerId), { ownElsewhereCents: around.elsewhere.get(row.productId) ?? null, waits: around.waiting.has(row.offerId) })
    const before = stateOf(row.offerId)
    const isOurs = before !== null && before.ownCents !== facts.priceCents && store.wasAsked(row.offerId, facts.priceCents, now)
    let state = observe(before, facts, isOurs)
    const stored = ruleFor(rulesNow(), facts, now)
    const decision = decide(stored, facts, state, now, desk())
    if (decision.hold !== null) state = { ...state, hold: { ...decision.hold, since: now } }
    else if (state.hold !== null && state.hold.until !== null && state.hold.until <= now) state = { ...state, hold: null }
    if (state !== before) remember(row.offerId, state)
    if (stored !== null || before?.ownCents !== facts.priceCents) log.write(entryOf(facts, state, stored, decision, now))
    const result: Watched = { row, facts, state, stored, decision }
    // What was so when Keydesk began is no event.
    const earlier = watched.get(row.offerId)?.decision.reason
    if (earlier !== undefined && earlier !== decision.reason && isTold(decision.reason)) telling.add({ reason: decision.reason, offerId: row.offerId, name: row.name })
    watched.set(row.offerId, result)
    follow(result, around)
    return result
  }

  /** Brings the offer's proposal in line with the decision, or queues it where the rule sends by itself. */
  function follow({ facts: { offerId, priceCents, bestCents }, stored, decision }: Watched, { sending, proposed }: Around): void {
    if (sending.has(offerId)) return
    const { reason, targetCents, targetCustomerCents } = decision
    const known = proposed.get(offerId)
    if (stored === null || targetCents === null || !isChange(reason)) return known === undefined ? undefined : void store.dropProposal(offerId)
    const wish = { offerId, ruleId: stored.ruleId, reason, fromCents: priceCents, targetCents, bestCents }
    if (stored.mode === 'auto' && !suspended()) {
      store.queue({ ...wish, sendId: context.random.id(), sentBy: 'auto' }, context.clock.now())
      store.dropProposal(offerId)
      return
    }
    if (known !== undefined && known.targetCents === targetCents && known.fromCents === priceCents && known.ruleId === stored.ruleId) return
    store.propose({ ...wish, proposalId: context.random.id(), targetCustomerCents, at: context.clock.now() })
  }

  /** Offers of which prices set by rules were set otherwise elsewhere in the last hour, and wait for a person. */
  function foreign(): string[] {
    const since = context.clock.now() - HOUR_MS
    return [...memory].flatMap(([offerId, { state }]) => (state?.hold?.why === 'foreign' && state.hold.since > since ? [offerId] : []))
  }
  /** Lead time of all offers hour by hour in the last 24, oldest first: reckoned again after half a minute. */
  let hours: { at: number; sums: Promise<LeadTime[]> } | null = null
  function leadHours(): Promise<LeadTime[]> {
    const now = context.clock.now()
    if (hours === null || now - hours.at >= HOURS_FRESH_MS) {
      const reckoned = { at: now, sums: leadTimesOfAll(store.db, Array.from({ length: 25 }, (_, index) => now - (24 - index) * HOUR_MS), [...watched.keys()]) }
      reckoned.sums.catch(() => { if (hours === reckoned) hours = null })
      hours = reckoned
    }
    return hours.sums
  }

  let suspension: { at: number; is: boolean } | null = null
  /** Whether nothing is sent by itself because somebody else changes the same prices. */
  function suspended(): boolean {
    const now = context.clock.now()
    if (suspension === null || suspension.at !== now) suspension = { at: now, is: foreign().length >= FOREIGN_OFFERS }
    return suspension.is
  }

  return {
    store, log,
    rules: rulesNow,
    /** Rules were changed: they are read anew, and all offers are decided by them. */
    rulesChanged: (): void => { rules = null },
    desk, foreign, suspended, leadHours,
    /** Tells people what happened since the last time. */
    tellPeople(): void {
      for (const notice of [...telling.take(), ...pauses({ at: context.clock.now(), suspended: suspended(), rules: rulesNow() })]) context.notices.tell({ accountId, ...notice })
    },
    watched: (): ReadonlyMap<string, Watched> => watched,
    stateOf, lookOf, remember,
    /** Between what the rule in force that covers an offer lets its price be; null without such a rule, or where its floor can't be told. */
    limitsOf(row: OfferRow): { floorCents: number | null; ceilingCents: number | null } | null {
      const facts = factsOf(row, undefined, { ownElsewhereCents: null, waits: false })
      const rule = ruleFor(rulesNow(), facts, context.clock.now())?.rule
      if (rule === undefined) return null
      const [floor, ceiling] = [floorOf(rule.floor, facts), ceilingOf(rule.ceiling, facts)]
      return floor.ok ? { floorCents: floor.cents, ceilingCents: ceiling.ok ? ceiling.cents : null } : null
    },
    noteLook(offerId: string, look: Look): void {
      store.putLook(offerId, look)
      memory.set(offerId, { state: stateOf(offerId), ...look })
    },
    /** Decides some offers as they are in the mirror now. */
    consider(offerIds: readonly string[]): Watched[] {
      const around = { elsewhere: elsewhere(), waiting: waitingOffers() }
      const rows = offers.pricing.some(accountId, offerIds)
      return store.transaction(() => { const open = openNow(); return rows.map((row) => consider(row, { ...around, ...open })) })
    },
    /** Decides all offers, some at a time. */
    async considerAll(signal: AbortSignal): Promise<void> {
      const around = { elsewhere: elsewhere(), waiting: waitingOffers() }
      const seen = new Set<string>()
      for (let after = ''; ;) {
        signal.throwIfAborted()
        const rows = offers.pricing.after(accountId, after, BATCH)
        const last = rows.at(-1)
        if (last === undefined) break
        store.transaction(() => { const open = openNow(); rows.forEach((row) => consider(row, { ...around, ...open })) })
        for (const { offerId } of rows) seen.add(offerId)
        after = last.offerId
        await new Promise((resolve) => { setImmediate(resolve) })
      }
      for (const offerId of watched.keys()) if (!seen.has(offerId)) { watched.delete(offerId); store.dropProposal(offerId) }
    },
  }
}
export type Keeper = ReturnType<typeof createKeeper>
