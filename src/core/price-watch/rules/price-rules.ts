import type { OfferRow } from '../../../contract/offers/offers.ts'
import type { Cents } from '../../../../server/api/money.ts'
import { createAccountScopes, defineFeature } from '../../lifecycle/lifecycle.ts'
import type { Scope } from '../../lifecycle/lifecycle.ts'
import type { PriceWatchContext } from '../context.ts'
import { priceWatchSchema } from '../schema.ts'
import { watchStore } from '../store.ts'
import type { KnownRule } from '../store.ts'
import { ceilingOf, floorOf } from './bounds.ts'
import { ruleFor } from './fits.ts'
import { factsOf } from '../engine/offer-facts.ts'

/** The price limits of an offer, in cents of what the seller receives; null: no limit. */
export type RuleLimits = { floorCents: Cents | null; ceilingCents: Cents | null }

/** The price rules of seller accounts, on which both the offers and the price watch build. */
function createPriceRules(
  context: Pick<PriceWatchContext, 'clock' | 'accounts' | 'mirrors'>,
  _needs: unknown,
  scope: Scope,
) {
  const accounts = createAccountScopes<{ read: () => KnownRule[]; known: KnownRule[] | null }>(
    context,
    scope,
    {
      role: 'seller',
      otherRole: ['A partner account has no prices to watch.', 'Choose a seller account.'],
      open: ({ accountId }) => ({
        read: watchStore(context.mirrors.database(accountId)).rules,
        known: null,
      }),
    },
  )
  function of(accountId: string): KnownRule[] {
    const account = accounts.of(accountId)
    return (account.known ??= account.read())
  }
  return {
    /** The rules of an account, highest priority first. */
    of,
    /** Reads the rules again before the next use. */
    changed(accountId: string): void {
      accounts.of(accountId).known = null
    },
    /**
     * The price limits of an offer: its own, narrowed by the rule in force. Null if it has neither
     * own limits nor a rule whose floor can be computed.
     */
    limitsOf(accountId: string, row: OfferRow): RuleLimits | null {
      const facts = factsOf(row, undefined, { ownElsewhereCents: null, waits: false })
      const { ownFloorCents, ownCeilingCents } = facts
      const own =
        ownFloorCents === null && ownCeilingCents === null
          ? null
          : { floorCents: ownFloorCents, ceilingCents: ownCeilingCents }
      const rule = ruleFor(of(accountId), facts, context.clock.now())?.rule
      if (rule === undefined) return own
      const [floor, ceiling] = [floorOf(rule.floor, facts), ceilingOf(rule.ceiling, facts)]
      return floor.ok
        ? { floorCents: floor.cents, ceilingCents: ceiling.ok ? ceiling.cents : ownCeilingCents }
        : own
    },
  }
}
export type PriceRules = ReturnType<typeof createPriceRules>

export const priceRulesFeature = defineFeature({
  name: 'priceRules',
  schemas: [priceWatchSchema],
  start: createPriceRules,
})
