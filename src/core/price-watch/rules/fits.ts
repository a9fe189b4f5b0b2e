import type { RuleScope } from '../../../contract/price-rules.ts'
import type { OfferFacts, StoredRule } from './facts.ts'

type Told = Pick<
  OfferFacts,
  'offerId' | 'platform' | 'region' | 'productType' | 'deliveryType' | 'customerCents'
>

/** Ids of a rule's own list as a set: a list may have thousands, and every offer is asked for. */
const named = new WeakMap<readonly string[], ReadonlySet<string>>()
function isNamed(offerIds: readonly string[], offerId: string): boolean {
  const known = named.get(offerIds) ?? new Set(offerIds)
  named.set(offerIds, known)
  return known.has(offerId)
}

const among = (chosen: readonly string[], value: string): boolean =>
  chosen.length === 0 || chosen.includes(value)

/** Whether an offer is among those of a scope. */
export function covers(scope: RuleScope, offer: Told): boolean {
  if (scope.kind === 'all') return true
  if (scope.kind === 'offers') return isNamed(scope.offerIds, offer.offerId)
  return (
    among(scope.platforms, offer.platform) &&
    among(scope.regions, offer.region) &&
    among(scope.productTypes, offer.productType) &&
    among(scope.deliveryTypes, offer.deliveryType) &&
    (scope.fromCents === null || offer.customerCents >= scope.fromCents) &&
    (scope.toCents === null || offer.customerCents <= scope.toCents)
  )
}

/** Whether a rule is in force at this moment: switched on, begun, not over. */
export const isInForce = ({ mode, rule }: StoredRule, now: number): boolean =>
  mode !== 'off' &&
  (rule.startsAt === null || rule.startsAt <= now) &&
  (rule.endsAt === null || rule.endsAt > now)

/** The rule of an offer: the first in the order that is in force and covers it. */
export function ruleFor(rules: readonly StoredRule[], offer: Told, now: number): StoredRule | null {
  return rules.find((stored) => isInForce(stored, now) && covers(stored.rule.scope, offer)) ?? null
}

/** Whether what a rule does depends on the hour or the date. */
export const isTimed = ({ hours, startsAt, endsAt }: StoredRule['rule']): boolean =>
  hours.from !== hours.to || hours.days.length < 7 || startsAt !== null || endsAt !== null
