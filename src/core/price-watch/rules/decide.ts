import {
  absCents,
  addCents,
  atLeast,
  atMost,
  type Cents,
  subtractCents,
} from '../../../../server/api/money.ts'
import type {
  ChangeReason,
  PriceRule,
  StayReason,
} from '../../../contract/price-watch/price-rules.ts'
import { ceilingOf, floorOf, mostPriceCents } from './bounds.ts'
import type {
  Decision,
  WatchConditions,
  HoldReason,
  OfferFacts,
  StoredRule,
  WatchState,
} from './facts.ts'
import { isWithin } from './hours.ts'
import { isSelling, leadOf } from './state.ts'
import { customerFor, endingDown, endingUp, receiveFor, stepCents } from './target.ts'
import { DAY_MS } from '../../../../server/api/time.ts'

/** How long a raise to a price that lost the lead isn't tried again. */
const failedRaiseMs = DAY_MS

const heldAs: Record<HoldReason, StayReason> = {
  person: 'held',
  war: 'war',
  foreign: 'changed-elsewhere',
  snoozed: 'snoozed',
  refused: 'held-refused',
}
/** Changes that correct an invalid price: they ignore cooldowns and minimum changes. */
const correctiveReasons: ReadonlySet<ChangeReason> = new Set([
  'up-to-floor',
  'down-to-ceiling',
  'step-back',
])

type DesiredChange = { reason: ChangeReason; cents: Cents } | { reason: StayReason; until?: number }
type Limits = { floor: Cents; ceiling: Cents }
type DecisionCase = {
  rule: PriceRule
  facts: OfferFacts
  state: WatchState
  now: number
  conditions: WatchConditions
}

/**
 * Decides one offer's price by its rule. A pure function, shared by the price watch, the preview
 * and the simulation. A change never goes below the floor or above the ceiling, and is never based
 * on stale facts or made while sending is stopped. If the best price is the seller's own, it isn't
 * a rival's.
 */
export function decide(
  stored: StoredRule | null,
  facts: OfferFacts,
  state: WatchState,
  now: number,
  conditions: WatchConditions,
): Decision {
  const { rule } = stored ?? { rule: null }
  const today = state.changes.flatMap(({ at }) => (at > now - DAY_MS ? [at] : []))
  const changesInWindow =
    rule === null ? 0 : state.changes.filter(({ at }) => at > now - rule.war.withinMs).length
  const known: Decision = {
    reason: 'no-rule',
    targetCents: null,
    targetCustomerCents: null,
    floorCents: null,
    ceilingCents: null,
    changesToday: today.length,
    changesInWindow,
    until: null,
    hold: null,
  }
  if (!isSelling(facts)) return { ...known, reason: 'not-selling' }
  if (rule === null) return known

  const floor = floorOf(rule.floor, facts)
  const ceiling = ceilingOf(rule.ceiling, facts)
  const bounded: Decision = {
    ...known,
    floorCents: floor.ok ? floor.cents : null,
    ceilingCents: ceiling.ok ? ceiling.cents : null,
  }
  const given: DecisionCase = { rule, facts, state, now, conditions }
  const stays = reasonToStay(given)
  if (stays !== null) return { ...bounded, ...stays }
  if (!floor.ok) return { ...bounded, reason: floor.reason }
  if (!ceiling.ok) return { ...bounded, reason: ceiling.reason }
  const limits: Limits = {
    floor: floor.cents,
    ceiling: atMost(ceiling.cents ?? mostPriceCents, mostPriceCents),
  }
  if (limits.floor > limits.ceiling) return { ...bounded, reason: 'floor-above-ceiling' }

  const wish = wanted(given, limits)
  if (!('cents' in wish)) return { ...bounded, reason: wish.reason, until: wish.until ?? null }
  const paced = reasonToWait(given, wish, { today, changesInWindow })
  if (paced !== null) return { ...bounded, ...paced }
  const percent = facts.commissionPercent
  return {
    ...bounded,
    reason: wish.reason,
    targetCents: wish.cents,
    targetCustomerCents: percent === null ? null : customerFor(wish.cents, percent),
  }
}

/** Why and until when an offer is held; null if it isn't. */
export const holdOf = (
  { hold }: Pick<WatchState, 'hold'>,
  now: number,
): { reason: StayReason; until: number | null } | null =>
  hold !== null && (hold.until === null || hold.until > now)
    ? { reason: heldAs[hold.why], until: hold.until }
    : null

/** Reasons to keep the price regardless of the market. */
function reasonToStay({
  rule,
  facts,
  state,
  now,
  conditions,
}: DecisionCase): Pick<Decision, 'reason' | 'until'> | null {
  if (conditions.stopped) return { reason: 'stopped', until: null }
  if (facts.waits) return { reason: 'outbox-waits', until: null }
  const held = holdOf(state, now)
  if (held !== null) return held
  if (!isWithin(rule.hours, now)) return { reason: 'out-of-hours', until: null }
  return now - facts.seenAt > conditions.staleMs ? { reason: 'stale', until: null } : null
}

function wanted(given: DecisionCase, limits: Limits): DesiredChange {
  const { facts, state } = given
  if (facts.priceCents < limits.floor) return { reason: 'up-to-floor', cents: limits.floor }
  if (facts.priceCents > limits.ceiling) return { reason: 'down-to-ceiling', cents: limits.ceiling }
  const lead = leadOf(facts, state.ownSince)
  if (lead === 'leading') return whileLeading(given, limits)
  return lead === 'behind' ? whileBehind(given, limits) : { reason: 'lead-unknown' }
}

function whileLeading({ rule, facts, state, now }: DecisionCase, limits: Limits): DesiredChange {
  if (rule.leading.act === 'stay') return { reason: 'leading' }
  if (facts.priceCents >= limits.ceiling) return { reason: 'at-ceiling' }
  const percent = facts.commissionPercent
  if (percent === null) return { reason: 'no-commission' }
  const since = Math.max(state.lead === 'leading' ? state.leadSince : facts.seenAt, state.ownSince)
  if (now - since < rule.leading.everyMs)
    return { reason: 'leading', until: since + rule.leading.everyMs }
  const raised = addCents(facts.customerCents, stepCents(rule.leading.step, facts.customerCents))
  const down = endingDown(raised, rule.ending)
  const customer = down > facts.customerCents ? down : endingUp(raised, rule.ending)
  const failed =
    state.failed !== null && now - state.failed.at < failedRaiseMs ? state.failed : null
  const target = atMost(atLeast(receiveFor(customer, percent), facts.priceCents), limits.ceiling)
  // A price that lost the lead is known, so this step would reveal nothing new.
  if (failed !== null && target >= failed.cents)
    return { reason: 'leading', until: failed.at + failedRaiseMs }
  return target > facts.priceCents ? { reason: 'raise', cents: target } : { reason: 'leading' }
}

function whileBehind(given: DecisionCase, limits: Limits): DesiredChange {
  const { rule, facts, state, now, conditions } = given
  const bestAt = facts.bestAt ?? 0
  const isFresh = bestAt >= state.ownSince && now - bestAt <= conditions.staleMs
  const freshBest = isFresh ? facts.bestCents : null
  const percent = facts.commissionPercent
  const back = stepBackPrice(state, facts)
  if (
    back !== null &&
    (freshBest === null || percent === null || freshBest >= customerFor(back, percent))
  ) {
    return limits.floor < facts.priceCents
      ? { reason: 'step-back', cents: atLeast(back, limits.floor) }
      : { reason: 'at-floor' }
  }
  if (rule.behind.act === 'stay') return { reason: 'told-to-stay' }
  if (freshBest === null) return { reason: facts.bestCents === null ? 'best-unknown' : 'stale' }
  // The two readings disagree: the list reported "behind", but no other offer is cheaper. The next
  // reading decides.
  if (freshBest > facts.customerCents) return { reason: 'lead-unknown' }
  if (facts.ownElsewhereCents !== null && freshBest >= facts.ownElsewhereCents)
    return { reason: 'own-shop-leads' }
  if (percent === null) return { reason: 'no-commission' }

  const asked =
    rule.behind.act === 'match'
      ? freshBest
      : subtractCents(freshBest, stepCents(rule.behind.step, freshBest))
  const plain = receiveFor(asked, percent)
  const rounded = receiveFor(endingDown(asked, rule.ending), percent)
  const cents = atMost(rounded >= limits.floor ? rounded : plain, limits.ceiling)
  if (asked < 1 || cents < limits.floor) {
    return rule.atFloor === 'go' && facts.priceCents > limits.floor
      ? { reason: 'to-floor', cents: limits.floor }
      : { reason: 'at-floor' }
  }
  return cents < facts.priceCents ? { reason: rule.behind.act, cents } : { reason: 'matched' }
}

/** The price before the current raise, for stepping back. */
const stepBackPrice = ({ probe }: WatchState, { priceCents }: OfferFacts): Cents | null =>
  probe !== null && probe.toCents === priceCents && probe.fromCents < priceCents
    ? probe.fromCents
    : null

/** Reasons to delay or drop a change that the rule wants. */
function reasonToWait(
  { rule, facts, state, now }: DecisionCase,
  wish: { reason: ChangeReason; cents: Cents },
  { today, changesInWindow }: { today: readonly number[]; changesInWindow: number },
): Pick<Decision, 'reason' | 'until' | 'hold'> | null {
  const stay = (
    reason: StayReason,
    until: number | null = null,
  ): Pick<Decision, 'reason' | 'until' | 'hold'> => ({ reason, until, hold: null })
  const by = subtractCents(wish.cents, facts.priceCents)
  const mustBe = correctiveReasons.has(wish.reason)
  if (!mustBe && absCents(by) < rule.leastCents) return stay('too-small')
  if (
    state.rejected !== null &&
    state.rejected.targetCents === wish.cents &&
    state.rejected.bestCents === facts.bestCents
  )
    return stay('rejected')
  if (absCents(by) * 100 > facts.priceCents * rule.mostPercent) return stay('too-far')
  if (today.length >= rule.changesADay) return stay('daily-limit', Math.min(...today) + DAY_MS)
  if (changesInWindow >= rule.war.changes) {
    const until = now + rule.war.holdMs
    return { reason: 'war', until, hold: { why: 'war', until } }
  }
  const last = state.changes.at(-1)?.at ?? -Infinity
  // Stryker disable next-line EqualityOperator: a wish always changes the price, so it is never 0
  const coolMs = by > 0 ? rule.coolUpMs : rule.coolDownMs
  return !mustBe && now - last < coolMs ? stay('cooling-down', last + coolMs) : null
}
