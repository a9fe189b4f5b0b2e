import type { DecisionReason, PriceRule, RuleMode } from '../../../contract/price-rules.ts'

/**
 * What is known of an offer when its price is decided. Cents and milliseconds; null where nobody
 * tells.
 */
export type OfferFacts = {
  offerId: string
  productId: string
  name: string
  platform: string
  region: string
  productType: string
  deliveryType: string
  status: string
  stock: number
  /** What the seller receives, and what the customer pays. */
  priceCents: number
  customerCents: number
  commissionPercent: number | null
  costCents: number | null
  isCheapest: boolean | null
  /** When price, stock and lead were read. */
  seenAt: number
  /** The best customer price of the product, this offer's own included, and when that was read. */
  bestCents: number | null
  bestAt: number | null
  /** The lowest customer price of the same product in another shop of this desk. */
  ownElsewhereCents: number | null
  /** A change made here is not settled: it is being sent or waits in the outbox. */
  waits: boolean
}

/**
 * Why an offer's price is left alone: a person said so, a price war, a price set elsewhere, a
 * proposal put off, a sending that was refused.
 */
export type HoldReason = 'person' | 'war' | 'foreign' | 'snoozed' | 'refused'

/** What a desk remembers of one offer's price. */
export type WatchState = {
  lead: 'leading' | 'behind' | 'none' | 'unknown'
  leadSince: number
  /** The present own price, and since when it is known to stand. */
  ownCents: number
  ownSince: number
  /** Changes made by rules in the last 24 hours, oldest first. */
  changes: { at: number; fromCents: number; toCents: number }[]
  /** The last raise that has not been taken back: from a price that led. */
  probe: { fromCents: number; toCents: number; at: number } | null
  /** The lowest price that lost the lead by a raise, and when. */
  failed: { cents: number; at: number } | null
  /** Until null: until a person lets it go. */
  hold: { why: HoldReason; until: number | null; since: number } | null
  /** A proposal that a person turned down: not made again while the best price stays. */
  rejected: { targetCents: number; bestCents: number | null } | null
}

/** A rule as it stands in the order of rules. */
export type StoredRule = { ruleId: string; revision: number; mode: RuleMode; rule: PriceRule }

/** What holds for the whole desk when a price is decided. */
export type DeskState = { stopped: boolean; staleMs: number }

export type Decision = {
  reason: DecisionReason
  /** What the seller would receive and the customer pay; null: the price stays. */
  targetCents: number | null
  targetCustomerCents: number | null
  /** The limits in what the seller receives; null where they can't be told. */
  floorCents: number | null
  ceilingCents: number | null
  /** Changes in the last 24 hours, and within the rule's window of a war. */
  changesToday: number
  changesInWindow: number
  /** When the reason ends by itself. */
  until: number | null
  /** The offer is to be held for a price war. */
  hold: { why: 'war'; until: number } | null
}
