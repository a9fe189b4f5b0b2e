import type { Cents } from '../../../../server/api/money.ts'
import type { OfferRow } from '../../../contract/offers/offers.ts'
import type { DecisionEntry } from '../reports/decision-log.ts'
import type { Decision, OfferFacts, StoredRule, WatchState } from '../rules/facts.ts'
import type { BestPriceLookup } from '../store.ts'

/**
 * The facts about an offer, from its row and the last lookup of its product. The newer of the two
 * best prices is used.
 */
export function factsOf(
  row: OfferRow,
  look: BestPriceLookup | undefined,
  more: { ownElsewhereCents: Cents | null; waits: boolean },
): OfferFacts {
  const listed =
    row.lowestCustomerCents === null
      ? null
      : { bestCents: row.lowestCustomerCents, bestAt: row.seenAt }
  const looked = look?.bestAt == null ? null : look
  const best =
    listed !== null && (looked === null || (looked.bestAt ?? 0) <= listed.bestAt) ? listed : looked
  return {
    offerId: row.offerId,
    productId: row.productId,
    name: row.name,
    platform: row.platform,
    region: row.region,
    productType: row.productType,
    deliveryType: row.deliveryType,
    status: row.status,
    stock: row.stock,
    priceCents: row.priceCents,
    customerCents: row.customerCents,
    commissionPercent: row.commission?.percent ?? null,
    costCents: row.costCents,
    ownFloorCents: row.ownFloorCents,
    ownCeilingCents: row.ownCeilingCents,
    isCheapest: row.isCheapest,
    seenAt: row.seenAt,
    bestCents: best?.bestCents ?? null,
    bestAt: best?.bestAt ?? null,
    ownElsewhereCents: more.ownElsewhereCents,
    waits: more.waits || row.pending?.state === 'saving',
  }
}

/** A decision with all its inputs, for the log. */
export function entryOf(
  facts: OfferFacts,
  state: WatchState,
  stored: StoredRule | null,
  decision: Decision,
  at: number,
): DecisionEntry {
  const {
    offerId,
    priceCents,
    customerCents,
    commissionPercent,
    costCents,
    isCheapest,
    stock,
    status,
    seenAt,
    bestCents,
    bestAt,
    ownElsewhereCents,
  } = facts
  return {
    offerId,
    at,
    reason: decision.reason,
    ruleId: stored?.ruleId ?? null,
    ruleName: stored?.rule.name ?? null,
    beforeCents: priceCents,
    targetCents: decision.targetCents,
    by: 'rule',
    inputs: {
      customerCents,
      commissionPercent,
      costCents,
      isCheapest,
      stock,
      status,
      seenAt,
      bestCents,
      bestAt,
      ownElsewhereCents,
      revision: stored?.revision ?? null,
      targetCustomerCents: decision.targetCustomerCents,
      floorCents: decision.floorCents,
      ceilingCents: decision.ceilingCents,
      changesToday: decision.changesToday,
      changesInWindow: decision.changesInWindow,
      lastChangeAt: state.changes.at(-1)?.at ?? null,
      until: decision.until,
      note: null,
    },
  }
}
