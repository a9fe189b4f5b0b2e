import { stayReasons } from '../../../contract/price-watch/price-rules.ts'
import type { StayReason } from '../../../contract/price-watch/price-rules.ts'
import type { Offers } from '../../offers/offers.ts'
import type { PriceWatchContext } from '../context.ts'
import type { PriceEngine } from '../engine/price-engine.ts'
import { holdOf } from '../rules/decide.ts'
import type { StoredRule } from '../rules/facts.ts'
import { ruleFor } from '../rules/fits.ts'
import { isChange } from '../rules/reasons.ts'
import { preSendRejection } from './pre-send-check.ts'
import type { PreSendRejection } from './pre-send-check.ts'
import type { Send } from './send-store.ts'
import { DAY_MS } from '../../../../server/api/time.ts'

/** Why a price isn't sent. `suspended` and `rule-proposes`: only automatic prices. */
export type SendRejection =
  | PreSendRejection
  | StayReason
  | 'market-moved'
  | 'suspended'
  | 'rule-proposes'

/** Reasons that resolve without a person. */
const temporaryReasons: ReadonlySet<string> = new Set<SendRejection>([
  'stopped',
  'price-moved',
  'not-fresh',
  'rule-gone',
  'market-moved',
  'suspended',
  'rule-proposes',
  ...stayReasons,
])
export const isTemporary = (note: string | null): boolean => temporaryReasons.has(note ?? '')

export class SendRejectedError extends Error {
  readonly rejection: SendRejection
  constructor(rejection: SendRejection) {
    super(`rejected before sending: ${rejection}`)
    this.rejection = rejection
  }
}

type Parts = {
  context: PriceWatchContext
  offers: Offers
  accountId: string
  keeper: PriceEngine
}

/** The checks of a price: before its batch is journaled, and again right before its request. */
export function createSendChecks({ context, offers, accountId, keeper }: Parts) {
  const { store } = keeper

  /**
   * The rule that limits a price: the one whose price a person approved, or for an automatic price
   * the offer's rule now, which can be another than the one that queued it.
   */
  function ruleOf(send: Send, now: number): StoredRule | null {
    const rules = keeper.rules()
    if (send.sentBy === 'person')
      return rules.find(({ ruleId, mode }) => ruleId === send.ruleId && mode !== 'off') ?? null
    const facts = keeper.watched().get(send.offerId)?.facts
    return facts === undefined ? null : ruleFor(rules, facts, now)
  }
  /** Why an automatic price must not be sent; null for a price that a person approved. */
  function automaticRejection({ sentBy }: Send, stored: StoredRule | null): SendRejection | null {
    if (sentBy === 'person') return null
    if (keeper.suspended()) return 'suspended'
    return stored === null || stored.mode === 'auto' ? null : 'rule-proposes'
  }

  return {
    /** Throws unless the price may be sent now. */
    assertSendable(send: Send): void {
      const [row] = offers.pricing.byIds(accountId, [send.offerId])
      const now = context.clock.now()
      const state = keeper.stateOf(send.offerId)
      const stored = ruleOf(send, now)
      const rejection =
        row === undefined
          ? 'not-selling'
          : (automaticRejection(send, stored) ??
            (state === null ? null : holdOf(state, now))?.reason ??
            preSendRejection({
              rule: stored?.rule ?? null,
              targetCents: send.targetCents,
              fromCents: send.fromCents,
              priceCents: row.priceCents,
              status: row.status,
              stock: row.stock,
              commissionPercent: row.commission?.percent ?? null,
              costCents: row.costCents,
              ownFloorCents: row.ownFloorCents,
              ownCeilingCents: row.ownCeilingCents,
              readAt: row.seenAt,
              now,
              stopped: store.stoppedAt() !== null,
              changesToday: state?.changes.filter(({ at }) => at > now - DAY_MS).length ?? 0,
            }))
      if (rejection !== null) throw new SendRejectedError(rejection)
    },
    /**
     * Why a price is no longer right by the current data; null if it is. A person decides again; a
     * rule with auto-apply queues the new price.
     */
    objection(send: Send): string | null {
      const known = keeper.watched().get(send.offerId)
      if (known === undefined) return 'not-selling'
      const { reason, targetCents } = known.decision
      if (!isChange(reason)) return reason
      if (targetCents !== send.targetCents || known.facts.priceCents !== send.fromCents)
        return 'market-moved'
      return automaticRejection(send, known.stored)
    },
  }
}
