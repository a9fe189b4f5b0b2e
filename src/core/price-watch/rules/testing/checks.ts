import { ZERO } from '../../../../../server/api/money.ts'
import { preSendRejection } from '../../sending/pre-send-check.ts'
import { decide } from '../decide.ts'
import { covers } from '../fits.ts'
import { stepCents } from '../target.ts'
import type { Situation } from './situations.ts'
import { DAY_MS } from '../../../../../server/api/time.ts'

/**
 * Returns the invariant that a decision violates, or null. The limits are computed by the pre-send
 * check, which shares no code with the rules.
 */
export function violatedInvariant({
  stored,
  facts,
  state,
  now,
  conditions,
}: Situation): string | null {
  const decision = decide(stored, facts, state, now, conditions)
  const { targetCents, targetCustomerCents, reason } = decision
  if (targetCents === null) return null
  const { rule } = stored
  if (conditions.stopped) return 'a change while sending is stopped'
  if (now - facts.seenAt > conditions.staleMs) return 'a change based on stale facts'
  if (facts.status !== 'active' || facts.stock === 0)
    return 'a change of an offer that doesn’t sell'
  if (facts.waits) return 'a change while another is queued'
  if (state.hold !== null && (state.hold.until === null || state.hold.until > now))
    return 'a change of a held offer'
  if (!covers(rule.scope, facts)) return 'a change of an offer without a rule'
  const refusal = preSendRejection({
    rule,
    targetCents,
    fromCents: facts.priceCents,
    priceCents: facts.priceCents,
    status: facts.status,
    stock: facts.stock,
    commissionPercent: facts.commissionPercent,
    costCents: facts.costCents,
    ownFloorCents: facts.ownFloorCents,
    ownCeilingCents: facts.ownCeilingCents,
    readAt: now,
    now,
    stopped: false,
    changesToday: state.changes.filter(({ at }) => at > now - DAY_MS).length,
  })
  if (refusal !== null) return `rejected by the pre-send check: ${refusal}`
  const down = targetCents < facts.priceCents
  if (facts.isCheapest === true && down && reason !== 'down-to-ceiling')
    return 'lowering the price while leading: undercutting itself'
  if (reason === 'match' || reason === 'undercut' || reason === 'to-floor') {
    if (
      facts.bestCents === null ||
      facts.bestAt === null ||
      now - facts.bestAt > conditions.staleMs ||
      facts.bestAt < state.ownSince
    )
      return 'a change based on an unknown or stale best price'
    if (facts.ownElsewhereCents !== null && facts.bestCents >= facts.ownElsewhereCents)
      return 'undercutting another shop of the seller'
    if (facts.bestCents > facts.customerCents) return 'lowering the price though no one is cheaper'
    if (!down) return 'raising the price while behind'
  }
  if (reason === 'match' && (targetCustomerCents ?? 0) > (facts.bestCents ?? 0))
    return 'matching above the best price'
  if (
    reason === 'undercut' &&
    rule.behind.act === 'undercut' &&
    (targetCustomerCents ?? 0) >
      (facts.bestCents ?? 0) - stepCents(rule.behind.step, facts.bestCents ?? ZERO)
  )
    return 'undercutting by less than the step'
  if (reason === 'raise' && (down || facts.isCheapest !== true)) return 'raising without the lead'
  return null
}
