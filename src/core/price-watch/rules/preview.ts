import type { PriceRule } from '../../../contract/price-watch/price-rules.ts'
import type {
  PreviewLine,
  RuleConflict,
} from '../../../contract/price-watch/price-watch-records.ts'
import { isChange } from './reasons.ts'
import { ceilingOf, floorOf } from './bounds.ts'
import { decide } from './decide.ts'
import type { Decision, WatchConditions, OfferFacts, StoredRule, WatchState } from './facts.ts'
import { covers, isInForce, ruleFor } from './fits.ts'
import { isZone } from './hours.ts'
import { isSelling } from './state.ts'

export type PreviewedOffer = { facts: OfferFacts; state: WatchState }
export type PreviewSums = {
  offers: number
  change: number
  stay: number
  atFloor: number
  noCost: number
  conflict: number
  notSelling: number
}
export type Previewed = { sums: PreviewSums; lines: PreviewLine[]; conflicts: RuleConflict[] }

const SHOWN_IDS = 200

/**
 * Previews a rule at its position among the others: the decision for each added offer that it
 * applies to, and its conflicts. Nothing is written. A rule that is off is previewed as if it
 * proposed.
 */
export function createPreview(
  rules: readonly StoredRule[],
  ruleId: string | null,
  rule: PriceRule,
  now: number,
  conditions: WatchConditions,
  first = false,
): { add(seen: PreviewedOffer): void; result(): Previewed } {
  const draft: StoredRule = {
    // Stryker disable next-line StringLiteral,LogicalOperator: nothing reads the ID of a draft
    ruleId: ruleId ?? 'draft',
    revision: 0,
    // Stryker disable next-line StringLiteral: only the mode `off` makes a difference here
    mode: 'propose',
    rule: isZone(rule.hours.zone) ? rule : { ...rule, hours: { ...rule.hours, zone: 'UTC' } },
  }
  // Before its start date a rule matches nothing, so the preview ignores the dates.
  const asInForce = isInForce(draft, now)
    ? draft
    : { ...draft, rule: { ...draft.rule, startsAt: null, endsAt: null } }
  const inOrder = rules.some((stored) => stored.ruleId === ruleId)
    ? rules.map((stored) => (stored.ruleId === ruleId ? asInForce : stored))
    : first
      ? [asInForce, ...rules]
      : [...rules, asInForce]
  const sums: PreviewSums = {
    offers: 0,
    change: 0,
    stay: 0,
    atFloor: 0,
    noCost: 0,
    conflict: 0,
    notSelling: 0,
  }
  const lines: PreviewLine[] = []
  const found = {
    'floor-above-ceiling': [] as string[],
    'no-cost': [] as string[],
    'no-commission': [] as string[],
    'below-cost': [] as string[],
  }
  const above = new Map<string, { name: string; offerIds: string[] }>()

  return {
    add({ facts, state }) {
      if (!covers(rule.scope, facts)) return
      const stored = ruleFor(inOrder, facts, now) ?? asInForce
      if (stored !== asInForce) {
        const group = above.get(stored.ruleId) ?? { name: stored.rule.name, offerIds: [] }
        group.offerIds.push(facts.offerId)
        above.set(stored.ruleId, group)
        return
      }
      sums.offers += 1
      for (const kind of conflictsOf(rule, facts)) found[kind].push(facts.offerId)
      const decision = decide(stored, facts, state, now, { ...conditions, stopped: false })
      sums[totalFor(facts, decision)] += 1
      lines.push(lineOf(facts, decision))
    },
    result() {
      const conflicts = [
        ...ownConflicts(rule),
        ...Object.entries(found).flatMap(([kind, offerIds]) =>
          offerIds.length === 0 ? [] : [conflict(kind as keyof typeof found, offerIds)],
        ),
      ]
      for (const { name, offerIds } of above.values())
        conflicts.push({ ...conflict('rule-above', offerIds), ruleName: name })
      if (sums.offers === 0) conflicts.push(conflict('covers-none', []))
      return { sums, lines, conflicts }
    },
  }
}

/**
 * Conflicts within the rule, independent of any offer. A rule with such a conflict can't be saved.
 */
export function ownConflicts({
  leading,
  ceiling,
  hours,
  startsAt,
  endsAt,
}: PriceRule): RuleConflict[] {
  return [
    ...(leading.act === 'raise' && ceiling.kind === 'none'
      ? [conflict('raise-without-ceiling', [])]
      : []),
    ...(isZone(hours.zone) ? [] : [conflict('zone-unknown', [])]),
    ...((endsAt ?? Infinity) <= (startsAt ?? -Infinity) ? [conflict('dates', [])] : []),
  ]
}

const stops: ReadonlySet<RuleConflict['kind']> = new Set([
  'floor-above-ceiling',
  'zone-unknown',
  'dates',
  'raise-without-ceiling',
])
const conflict = (kind: RuleConflict['kind'], offerIds: readonly string[]): RuleConflict => ({
  kind,
  severity: stops.has(kind) ? 'stop' : 'warn',
  offers: offerIds.length,
  offerIds: offerIds.slice(0, SHOWN_IDS),
  ruleName: null,
})

function conflictsOf(
  rule: PriceRule,
  facts: OfferFacts,
): ('floor-above-ceiling' | 'no-cost' | 'no-commission' | 'below-cost')[] {
  const floor = floorOf(rule.floor, facts)
  const ceiling = ceilingOf(rule.ceiling, facts)
  if (!floor.ok) return [floor.reason]
  if (!ceiling.ok) return [ceiling.reason]
  if (ceiling.cents !== null && floor.cents > ceiling.cents) return ['floor-above-ceiling']
  return floor.cents < (facts.costCents ?? 0) ? ['below-cost'] : []
}

function totalFor(facts: OfferFacts, { reason }: Decision): keyof PreviewSums {
  if (!isSelling(facts)) return 'notSelling'
  if (isChange(reason)) return 'change'
  if (reason === 'at-floor') return 'atFloor'
  if (reason === 'no-cost' || reason === 'no-commission') return 'noCost'
  return reason === 'floor-above-ceiling' ? 'conflict' : 'stay'
}

const lineOf = (
  facts: OfferFacts,
  { reason, targetCents, targetCustomerCents, floorCents }: Decision,
): PreviewLine => ({
  offerId: facts.offerId,
  name: facts.name,
  platform: facts.platform,
  region: facts.region,
  deliveryType: facts.deliveryType,
  bestCents: facts.bestCents,
  priceCents: facts.priceCents,
  customerCents: facts.customerCents,
  targetCents,
  targetCustomerCents,
  floorCents,
  reason,
})
