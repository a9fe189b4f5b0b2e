import { type Cents, plainEuros } from '../../../../server/api/money.ts'
import { csvText } from '../../../contract/csv.ts'
import type { LoggedDecision } from './decision-log.ts'

const columns = [
  'decided_at',
  'last_decided_at',
  'times',
  'offer_id',
  'name',
  'platform',
  'region',
  'delivery',
  'reason',
  'rule',
  'rule_revision',
  'by',
  'you_receive_before',
  'you_receive_after',
  'customer_before',
  'customer_after',
  'best_customer_price',
  'best_read_at',
  'offer_read_at',
  'cheapest',
  'stock',
  'status',
  'cost',
  'commission_percent',
  'floor',
  'ceiling',
  'changes_24h',
  'changes_in_war_window',
  'last_change_at',
  'until',
  'note',
] as const

const euros = (cents: Cents | null): string | null => (cents === null ? null : plainEuros(cents))
const instant = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString()

/** Decisions as CSV: one row each, with every input. Amounts in EUR, times in UTC. */
export function decisionsCsv(
  decisions: readonly LoggedDecision[],
  productOf: (offerId: string) => {
    name: string
    platform: string
    region: string
    deliveryType: string
  },
): string {
  const lines = decisions.map(
    ({ offerId, at, lastAt, times, reason, ruleName, beforeCents, targetCents, by, inputs }) => [
      instant(at),
      instant(lastAt),
      times,
      offerId,
      productOf(offerId).name,
      productOf(offerId).platform,
      productOf(offerId).region,
      productOf(offerId).deliveryType,
      reason,
      ruleName,
      inputs.revision,
      by,
      euros(beforeCents),
      euros(targetCents),
      euros(inputs.customerCents),
      euros(inputs.targetCustomerCents),
      euros(inputs.bestCents),
      instant(inputs.bestAt),
      instant(inputs.seenAt),
      inputs.isCheapest,
      inputs.stock,
      inputs.status,
      euros(inputs.costCents),
      inputs.commissionPercent,
      euros(inputs.floorCents),
      euros(inputs.ceilingCents),
      inputs.changesToday,
      inputs.changesInWindow,
      instant(inputs.lastChangeAt),
      instant(inputs.until),
      inputs.note,
    ],
  )
  return csvText([columns, ...lines])
}
