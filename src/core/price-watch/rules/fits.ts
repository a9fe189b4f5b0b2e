import type { RuleScope } from '../../../contract/price-watch/price-rules.ts'
import type { OfferFacts, StoredRule } from './facts.ts'

type ScopeFacts = Pick<
  OfferFacts,
  'offerId' | 'platform' | 'region' | 'productType' | 'deliveryType' | 'customerCents'
>

/** The ids listed in a rule as a set: a list can have thousands, and every offer is checked. */
const named = new WeakMap<readonly string[], ReadonlySet<string>>()
function isNamed(offerIds: readonly string[], offerId: string): boolean {
  const known = named.get(offerIds) ?? new Set(offerIds)
  // Stryker disable next-line CallExpression: without it, only the search takes longer
  named.set(offerIds, known)
  return known.has(offerId)
}

const among = (chosen: readonly string[], value: string): boolean =>
  chosen.length === 0 || chosen.includes(value)

/** Whether a scope includes an offer. */
export function covers(scope: RuleScope, offer: ScopeFacts): boolean {
  if (scope.kind === 'all') return true
  if (scope.kind === 'offers') return isNamed(scope.offerIds, offer.offerId)
  return (
    among(scope.platforms, offer.platform) &&
    among(scope.regions, offer.region) &&
    among(scope.productTypes, offer.productType) &&
    among(scope.deliveryTypes, offer.deliveryType) &&
    offer.customerCents >= (scope.fromCents ?? 0) &&
    (scope.toCents === null || offer.customerCents <= scope.toCents)
  )
}

/** Whether a rule is in force at this time: switched on, and between its dates. */
export const isInForce = ({ mode, rule }: StoredRule, now: number): boolean =>
  mode !== 'off' && (rule.startsAt ?? 0) <= now && (rule.endsAt === null || rule.endsAt > now)

/** The rule of an offer: the first rule in force that covers it. */
export function ruleFor(
  rules: readonly StoredRule[],
  offer: ScopeFacts,
  now: number,
): StoredRule | null {
  return rules.find((stored) => isInForce(stored, now) && covers(stored.rule.scope, offer)) ?? null
}

/** Whether the rule's effect depends on the time or date. */
export const isTimed = ({ hours, startsAt, endsAt }: StoredRule['rule']): boolean =>
  hours.from !== hours.to || hours.days.length < 7 || startsAt !== null || endsAt !== null
