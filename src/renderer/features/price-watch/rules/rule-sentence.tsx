import { cents } from '../../../../../server/api/money.ts'
import type { PriceRule } from '../../../../contract/price-watch/price-rules.ts'
import { ChoiceChip } from '../../../ui/controls/filters/filter-chip.tsx'
import styles from './rules.module.css'
import { Edge, Limit, Span, Step, Time } from './rule-fields.tsx'
import { RuleScope } from './rule-scope.tsx'
import { Amount, CentsField, Clause, Word } from './sentence-parts.tsx'

const minute = 60_000
const hour = 60 * minute
const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

interface ClauseProps {
  rule: PriceRule
  set: (some: Partial<PriceRule>) => void
}

/** A rule as a sentence: one clause per line, with menus for choices and text fields for values. */
export function RuleSentence({
  rule,
  onChange,
}: {
  rule: PriceRule
  onChange: (rule: PriceRule) => void
}) {
  const set = (some: Partial<PriceRule>): void => onChange({ ...rule, ...some })
  return (
    <div className={styles.sentences}>
      <RuleScope scope={rule.scope} onChange={(scope) => set({ scope })} />
      <BehindClause rule={rule} set={set} />
      <LeadingClause rule={rule} set={set} />
      <FloorClause rule={rule} set={set} />
      <CeilingClause rule={rule} set={set} />
      <PaceClause rule={rule} set={set} />
      <WarClause rule={rule} set={set} />
      <HoursClause rule={rule} set={set} />
      <DatesClause rule={rule} set={set} />
    </div>
  )
}

function BehindClause({ rule: { behind }, set }: ClauseProps) {
  return (
    <Clause label="When behind">
      <Word
        label="When behind"
        value={behind.act}
        choices={[
          { value: 'undercut', label: 'undercut' },
          { value: 'match', label: 'match' },
          { value: 'stay', label: 'stay' },
        ]}
        onChange={(act) =>
          set({
            behind: act === 'undercut' ? { act, step: { by: 'amount', cents: cents(1) } } : { act },
          })
        }
      />
      {behind.act === 'undercut' ? (
        <>
          the best customer price by{' '}
          <Step
            label="Undercut by"
            step={behind.step}
            onChange={(step) => set({ behind: { ...behind, step } })}
          />
        </>
      ) : behind.act === 'match' ? (
        'the best customer price'
      ) : null}
    </Clause>
  )
}

function LeadingClause({ rule: { leading }, set }: ClauseProps) {
  return (
    <Clause label="When leading">
      <Word
        label="When leading"
        value={leading.act}
        choices={[
          { value: 'raise', label: 'raise' },
          { value: 'stay', label: 'stay' },
        ]}
        onChange={(act) =>
          set({
            leading:
              act === 'raise'
                ? { act, step: { by: 'amount', cents: cents(5) }, everyMs: 6 * hour }
                : { act },
          })
        }
      />
      {leading.act === 'raise' ? (
        <>
          by{' '}
          <Step
            label="Raise by"
            step={leading.step}
            onChange={(step) => set({ leading: { ...leading, step } })}
          />{' '}
          every{' '}
          <Span
            label="Raise every"
            ms={leading.everyMs}
            from={5 * minute}
            to={30 * 24 * hour}
            onChange={(everyMs) => set({ leading: { ...leading, everyMs } })}
          />{' '}
          until the lead is lost, then step back
        </>
      ) : null}
    </Clause>
  )
}

function FloorClause({ rule, set }: ClauseProps) {
  return (
    <Clause label="Never below">
      <Limit
        label="Never below"
        none={false}
        limit={rule.floor}
        onChange={(floor) => {
          if (floor.kind !== 'none') set({ floor })
        }}
      />{' '}
      and if the target is lower,{' '}
      <Word
        label="At the floor"
        value={rule.atFloor}
        choices={[
          { value: 'stay', label: 'stay' },
          { value: 'go', label: 'go down to the floor' },
        ]}
        onChange={(atFloor) => set({ atFloor })}
      />
    </Clause>
  )
}

function CeilingClause({ rule, set }: ClauseProps) {
  return (
    <Clause label="Never above">
      <Limit
        label="Never above"
        none
        limit={rule.ceiling}
        onChange={(ceiling) => set({ ceiling })}
      />{' '}
      ending in{' '}
      <Word
        label="Ending"
        value={rule.ending ?? 'any'}
        choices={[
          { value: 'any', label: 'anything' },
          { value: '9', label: '9' },
          { value: '99', label: '99' },
          { value: '49', label: '49' },
          { value: '0', label: '0' },
          ...(rule.ending !== null && !['9', '99', '49', '0'].includes(rule.ending)
            ? [{ value: rule.ending, label: rule.ending }]
            : []),
        ]}
        onChange={(ending) => set({ ending: ending === 'any' ? null : ending })}
      />
    </Clause>
  )
}

function PaceClause({ rule, set }: ClauseProps) {
  return (
    <Clause label="Pace">
      Wait{' '}
      <Span
        label="Wait before going down"
        ms={rule.coolDownMs}
        from={0}
        to={30 * 24 * hour}
        onChange={(coolDownMs) => set({ coolDownMs })}
      />{' '}
      before going down,{' '}
      <Span
        label="Wait before going up"
        ms={rule.coolUpMs}
        from={0}
        to={30 * 24 * hour}
        onChange={(coolUpMs) => set({ coolUpMs })}
      />{' '}
      before going up, skip changes below{' '}
      <CentsField
        label="Skip changes below"
        cents={rule.leastCents}
        onChange={(leastCents) => set({ leastCents })}
      />{' '}
      EUR, at most{' '}
      <Amount
        label="Changes per day"
        value={rule.changesADay}
        from={1}
        to={200}
        onChange={(changesADay) => set({ changesADay })}
      />{' '}
      changes per day, at most{' '}
      <Amount
        label="Largest change, percent"
        value={rule.mostPercent}
        from={1}
        to={50}
        onChange={(mostPercent) => set({ mostPercent })}
      />{' '}
      %
    </Clause>
  )
}

function WarClause({ rule, set }: ClauseProps) {
  return (
    <Clause label="Price war">
      After{' '}
      <Amount
        label="Changes that mean a price war"
        value={rule.war.changes}
        from={2}
        to={100}
        onChange={(changes) => set({ war: { ...rule.war, changes } })}
      />{' '}
      changes in{' '}
      <Span
        label="Price war window"
        ms={rule.war.withinMs}
        from={5 * minute}
        to={24 * hour}
        onChange={(withinMs) => set({ war: { ...rule.war, withinMs } })}
      />{' '}
      hold for{' '}
      <Span
        label="Price war hold"
        ms={rule.war.holdMs}
        from={5 * minute}
        to={7 * 24 * hour}
        onChange={(holdMs) => set({ war: { ...rule.war, holdMs } })}
      />
    </Clause>
  )
}

function HoursClause({ rule: { hours }, set }: ClauseProps) {
  const always = hours.from === hours.to
  return (
    <Clause label="Hours">
      <ChoiceChip
        label="Days"
        values={dayNames}
        chosen={hours.days.length === 7 ? [] : hours.days.map((day) => dayNames[day] ?? '')}
        onChange={(chosen) =>
          set({
            hours: {
              ...hours,
              days:
                chosen.length === 0
                  ? [0, 1, 2, 3, 4, 5, 6]
                  : dayNames.flatMap((name, day) => (chosen.includes(name) ? [day] : [])),
            },
          })
        }
      />
      <Word
        label="Hours"
        value={always ? 'always' : 'between'}
        choices={[
          { value: 'always', label: 'always' },
          { value: 'between', label: 'between' },
        ]}
        onChange={(when) =>
          set({
            hours: {
              ...hours,
              from: when === 'always' ? 0 : 8 * 60,
              to: when === 'always' ? 0 : 20 * 60,
              zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
            },
          })
        }
      />
      {always ? null : (
        <>
          <Time
            label="From"
            minutes={hours.from}
            onChange={(from) => set({ hours: { ...hours, from } })}
          />{' '}
          and{' '}
          <Time label="To" minutes={hours.to} onChange={(to) => set({ hours: { ...hours, to } })} />{' '}
          {hours.zone}
        </>
      )}
    </Clause>
  )
}

function DatesClause({ rule, set }: ClauseProps) {
  return (
    <Clause label="Dates">
      Starts{' '}
      <Edge
        label="Starts"
        none="immediately"
        at={rule.startsAt}
        first={0}
        onChange={(startsAt) => set({ startsAt })}
      />{' '}
      and ends{' '}
      <Edge
        label="Ends"
        none="never"
        at={rule.endsAt}
        first={7}
        onChange={(endsAt) => set({ endsAt })}
      />
    </Clause>
  )
}
