import { stayReasons } from '../../../contract/price-watch/price-rules.ts'
import type { StayReason } from '../../../contract/price-watch/price-rules.ts'
import type { Offers } from '../../offers/offers.ts'
import type { PriceWatchContext } from '../context.ts'
import type { PriceEngine } from '../engine/price-engine.ts'
import { holdOf } from '../rules/decide.ts'
import { isChange } from '../rules/reasons.ts'
import { preSendRejection } from './pre-send-check.ts'
import type { PreSendRejection } from './pre-send-check.ts'
import type { Send } from './send-store.ts'
import { DAY_MS } from '../../../../server/api/time.ts'

/** Why a price isn't sent. `suspended`: only automatic prices. */
export type SendRejection = PreSendRejection | StayReason | 'market-moved' | 'suspended'

/** Reasons that resolve without a person. */
const temporaryReasons: ReadonlySet<string> = new Set<SendRejection>([
  'stopped',
  'price-moved',
  'not-fresh',
  'rule-gone',
  'market-moved',
  'suspended',
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

  /** Why an automatic price must not be sent; null for a price that a person approved. */
  const automaticRejection = ({ sentBy }: Send): SendRejection | null =>
    sentBy === 'auto' && keeper.suspended() ? 'suspended' : null

  return {
    /** Throws unless the price may be sent now. */
    assertSendable(send: Send): void {
      const [row] = offers.pricing.byIds(accountId, [send.offerId])
      const now = context.clock.now()
      const state = keeper.stateOf(send.offerId)
      const stored = keeper
        .rules()
        .find(
          ({ ruleId, mode }) =>
            ruleId === send.ruleId && (send.sentBy === 'person' ? mode !== 'off' : mode === 'auto'),
        )
      const rejection =
        row === undefined
          ? 'not-selling'
          : (automaticRejection(send) ??
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
      return automaticRejection(send)
    },
  }
}
