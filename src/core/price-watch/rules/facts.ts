import type { Cents } from '../../../../server/api/money.ts'
import type {
  DecisionReason,
  PriceRule,
  RuleMode,
} from '../../../contract/price-watch/price-rules.ts'
import type { OfferHold, RejectedPrice } from '../../../contract/price-watch/price-watch-records.ts'

/** The facts about an offer that a decision uses. Cents and milliseconds; null if unknown. */
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
  /** The seller's payout and the customer price. */
  priceCents: Cents
  customerCents: Cents
  commissionPercent: number | null
  costCents: Cents | null
  /** The offer's own limits, in the amount that the seller receives; null: none. */
  ownFloorCents: Cents | null
  ownCeilingCents: Cents | null
  isCheapest: boolean | null
  /** When price, stock and lead were read. */
  seenAt: number
  /** The best customer price of the product, including this offer, and when it was read. */
  bestCents: Cents | null
  bestAt: number | null
  /**
   * The lowest customer price of the same product in another shop of the seller on this computer.
   */
  ownElsewhereCents: Cents | null
  /** A local change isn't settled: it is being sent or is queued in the outbox. */
  waits: boolean
}

export type HoldReason = OfferHold['why']

/** The price watch's stored state of one offer. */
export type WatchState = {
  lead: 'leading' | 'behind' | 'none' | 'unknown'
  leadSince: number
  /** The seller's current price, and since when it is known. */
  ownCents: Cents
  ownSince: number
  /** Changes made by rules in the last 24 hours, oldest first. */
  changes: { at: number; fromCents: Cents; toCents: Cents }[]
  /** The last raise that wasn't stepped back: `fromCents` led. */
  probe: { fromCents: Cents; toCents: Cents; at: number } | null
  /** The lowest price at which a raise lost the lead, and when. */
  failed: { cents: Cents; at: number } | null
  hold: OfferHold | null
  /** A proposal that a person rejected. It isn't repeated until the best price changes. */
  rejected: RejectedPrice | null
}

/** A rule as stored. */
export type StoredRule = { ruleId: string; revision: number; mode: RuleMode; rule: PriceRule }

/** Conditions for all decisions of an account. */
export type WatchConditions = { stopped: boolean; staleMs: number }

export type Decision = {
  reason: DecisionReason
  /** The resulting payout and customer price; null: the price stays. */
  targetCents: Cents | null
  targetCustomerCents: Cents | null
  /** The limits in the amount that the seller receives; null if they can't be computed. */
  floorCents: Cents | null
  ceilingCents: Cents | null
  /** Changes in the last 24 hours, and within the rule's price war window. */
  changesToday: number
  changesInWindow: number
  /** When the reason expires. */
  until: number | null
  /** Set if the offer must be held because of a price war. */
  hold: { why: 'war'; until: number } | null
}
