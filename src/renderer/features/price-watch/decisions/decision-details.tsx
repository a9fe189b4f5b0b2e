import { IconCornerDownRight } from '@tabler/icons-react'
import type { Cents } from '../../../../../server/api/money.ts'
import type { PriceRule } from '../../../../contract/price-watch/price-rules.ts'
import type { LoggedDecision } from '../../../../contract/price-watch/price-watch-records.ts'
import { formatCents, formatDuration, formatMoment } from '../../../ui/format.ts'
import { Mark } from '../../../ui/data-display/identity/mark.tsx'
import { PanelSection } from '../../../ui/layout/page.tsx'
import shared from '../price-watch.module.css'
import { describeLimit, explain } from '../price-watch-texts.ts'
import styles from './decision-details.module.css'

type Step = { label: string; cents: Cents | null }
/** A condition of the rule; `holds` is null if that is unknown. */
type Check = { label: string; value: string; holds: boolean | null }

/** From the best price to the decided one; empty if the price stays. */
function stepsOf({ targetCents, ruleName, inputs }: LoggedDecision): Step[] {
  if (targetCents === null) return []
  return [
    { label: 'Best customer price', cents: inputs.bestCents },
    {
      label: ruleName === null ? 'Customer pays' : `Rule “${ruleName}”`,
      cents: inputs.targetCustomerCents,
    },
    {
      label:
        inputs.commissionPercent === null
          ? 'You receive'
          : `Less commission, ${inputs.commissionPercent} %`,
      cents: targetCents,
    },
  ]
}

const centsText = (cents: Cents | null): string => (cents === null ? 'unknown' : formatCents(cents))

function limitChecks({ inputs, targetCents, beforeCents }: LoggedDecision, rule: PriceRule) {
  const { floorCents, ceilingCents } = inputs
  const price = targetCents ?? beforeCents
  const floor: Check = {
    label: `Floor: ${describeLimit(rule.floor)}`,
    value: centsText(floorCents),
    holds: floorCents === null ? null : price >= floorCents,
  }
  const ceiling: Check = {
    label: `Ceiling: ${describeLimit(rule.ceiling)}`,
    value: centsText(ceilingCents),
    holds: ceilingCents === null ? null : price <= ceilingCents,
  }
  return rule.ceiling.kind === 'none' ? [floor] : [floor, ceiling]
}

function paceChecks({ inputs, lastAt }: LoggedDecision, rule: PriceRule): Check[] {
  const { changesToday, changesInWindow, lastChangeAt } = inputs
  return [
    {
      label: 'Changes in 24 hours',
      value: `${changesToday} of ${rule.changesADay}`,
      holds: changesToday < rule.changesADay,
    },
    {
      label: 'Last change',
      value: lastChangeAt === null ? 'none' : formatMoment(lastChangeAt, Date.now()),
      holds: lastChangeAt === null || lastAt - lastChangeAt >= rule.coolDownMs,
    },
    {
      label: `Price war limit, changes in ${formatDuration(rule.war.withinMs)}`,
      value: `${changesInWindow} of ${rule.war.changes}`,
      holds: changesInWindow < rule.war.changes,
    },
  ]
}

/**
 * The decision in a sentence, the steps to its price, and the checks of its rule, if the rule is
 * known.
 */
export function DecisionDetails({
  decision,
  rule,
}: {
  decision: LoggedDecision
  rule: PriceRule | null
}) {
  const { targetCents, beforeCents } = decision
  const steps = stepsOf(decision)
  const checks =
    rule === null ? [] : [...limitChecks(decision, rule), ...paceChecks(decision, rule)]
  return (
    <PanelSection
      title={
        targetCents === null
          ? `Why ${formatCents(beforeCents)} stays`
          : `Why ${formatCents(targetCents)}`
      }
      aside={<span className="kd-mono">{decision.reason.toUpperCase().replaceAll('-', '_')}</span>}
    >
      <p className={shared.sentence}>{explain(decision)}</p>
      {steps.length === 0 ? null : (
        <ul className={styles.steps}>
          {steps.map(({ label, cents }) => (
            <li key={label}>
              <IconCornerDownRight size={13} stroke={1.6} aria-hidden />
              <span>{label}</span>
              <b>{centsText(cents)}</b>
            </li>
          ))}
        </ul>
      )}
      {checks.length === 0 ? null : (
        <ul className={styles.steps}>
          {checks.map(({ label, value, holds }) => (
            <li key={label}>
              <Mark
                kind={holds === null ? 'unknown' : holds ? 'ok' : 'warn'}
                size={13}
                label={holds === null ? 'Unknown' : holds ? 'Met' : 'Not met'}
              />
              <span>{label}</span>
              <b>{value}</b>
            </li>
          ))}
        </ul>
      )}
    </PanelSection>
  )
}
