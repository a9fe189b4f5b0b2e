import type {
  PriceCeiling,
  PriceFloor,
  PriceRule,
  PriceStep,
} from '../../../contract/price-rules.ts'
import { momentOf, momentText } from '../../lib/local-moment.ts'
import { ChoiceChip } from '../../ui/filter-chip.tsx'
import styles from './price-watch.module.css'
import { RuleScope } from './rule-scope.tsx'
import { Amount, Cents, type Choice, Clause, Typed, Word } from './sentence-parts.tsx'

const minute = 60_000
const hour = 60 * minute

const units = [
  [60_000, 'min'],
  [3_600_000, 'h'],
  [86_400_000, 'd'],
] as const
/** A duration: `15 min`, `6 h`, `1 d`. */
function Span({
  label,
  ms,
  onChange,
  from,
  to,
}: {
  label: string
  ms: number
  onChange: (ms: number) => void
  from: number
  to: number
}) {
  const unit = units.findLast(([size]) => ms >= size && ms % size === 0) ?? units[0]
  return (
    <Typed
      label={label}
      text={`${ms / unit[0]} ${unit[1]}`}
      read={(typed) => {
        const found = /^\s*(\d+)\s*(m|min|h|d)?\s*$/i.exec(typed)
        if (found === null) return false
        const size =
          { m: minute, min: minute, h: hour, d: 24 * hour }[(found[2] ?? unit[1]).toLowerCase()] ??
          minute
        const value = Number(found[1]) * size
        if (value < from || value > to) return false
        onChange(value)
        return true
      }}
    />
  )
}

function Step({
  label,
  step,
  onChange,
}: {
  label: string
  step: PriceStep
  onChange: (step: PriceStep) => void
}) {
  return (
    <>
      {step.by === 'amount' ? (
        <Cents
          label={label}
          cents={step.cents}
          onChange={(cents) => onChange({ by: 'amount', cents })}
        />
      ) : (
        <Amount
          label={label}
          value={step.percent}
          from={0.01}
          to={50}
          decimals={2}
          onChange={(percent) => onChange({ by: 'percent', percent })}
        />
      )}
      <Word
        label={`${label}: unit`}
        value={step.by}
        choices={[
          { value: 'amount', label: 'EUR' },
          { value: 'percent', label: '%' },
        ]}
        onChange={(by) => onChange(by === 'amount' ? { by, cents: 1 } : { by, percent: 1 })}
      />
    </>
  )
}

type Kind = PriceCeiling['kind']
const limitOf = (kind: Exclude<Kind, 'none'>): PriceFloor =>
  kind === 'cost' ? { kind, profitCents: 0, profitPercent: 10 } : { kind, cents: 1000 }
function Limit({
  label,
  limit,
  none,
  onChange,
}: {
  label: string
  limit: PriceCeiling
  none: boolean
  onChange: (limit: PriceCeiling) => void
}) {
  const choices: Choice<Kind>[] = [
    ...(none ? [{ value: 'none' as const, label: 'no limit' }] : []),
    { value: 'cost', label: 'cost' },
    { value: 'receive', label: 'what you receive' },
    { value: 'customer', label: 'what the customer pays' },
  ]
  return (
    <>
      <Word
        label={label}
        value={limit.kind}
        choices={choices}
        onChange={(kind) => onChange(kind === 'none' ? { kind } : limitOf(kind))}
      />
      {limit.kind === 'cost' ? (
        <>
          plus{' '}
          <Cents
            label={`${label}: profit`}
            cents={limit.profitCents}
            onChange={(profitCents) => onChange({ ...limit, profitCents })}
          />{' '}
          EUR and{' '}
          <Amount
            label={`${label}: profit in percent of the cost`}
            value={limit.profitPercent}
            from={0}
            to={1000}
            decimals={2}
            onChange={(profitPercent) => onChange({ ...limit, profitPercent })}
          />{' '}
          %
        </>
      ) : null}
      {limit.kind === 'receive' || limit.kind === 'customer' ? (
        <>
          <Cents
            label={`${label}: amount`}
            cents={limit.cents}
            least={1}
            onChange={(cents) => onChange({ ...limit, cents })}
          />{' '}
          EUR
        </>
      ) : null}
    </>
  )
}

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** A rule as a sentence: one clause per line, with menus for choices and text fields for values. */
export function RuleSentence({
  rule,
  onChange,
}: {
  rule: PriceRule
  onChange: (rule: PriceRule) => void
}) {
  const set = (some: Partial<PriceRule>): void => onChange({ ...rule, ...some })
  const { scope, behind, leading, hours } = rule
  const always = hours.from === hours.to
  return (
    <div className={styles.sentences}>
      <RuleScope scope={scope} onChange={(next) => set({ scope: next })} />
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
              behind: act === 'undercut' ? { act, step: { by: 'amount', cents: 1 } } : { act },
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
                  ? { act, step: { by: 'amount', cents: 5 }, everyMs: 6 * hour }
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
        <Cents
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
            <Time
              label="To"
              minutes={hours.to}
              onChange={(to) => set({ hours: { ...hours, to } })}
            />{' '}
            {hours.zone}
          </>
        )}
      </Clause>
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
    </div>
  )
}

/**
 * Start or end of a rule in local time; null for none. A new value is the next full hour, `first`
 * days from now.
 */
function Edge({
  label,
  none,
  at,
  first,
  onChange,
}: {
  label: string
  none: string
  at: number | null
  first: number
  onChange: (at: number | null) => void
}) {
  return (
    <>
      <Word
        label={label}
        value={at === null ? 'none' : 'at'}
        choices={[
          { value: 'none', label: none },
          { value: 'at', label: 'at' },
        ]}
        onChange={(next) =>
          onChange(next === 'none' ? null : Math.ceil(Date.now() / hour) * hour + first * 24 * hour)
        }
      />
      {at === null ? null : (
        <Typed
          type="datetime-local"
          label={`${label} at`}
          text={momentText(at)}
          read={(typed) => {
            const moment = momentOf(typed)
            if (moment === null) return false
            onChange(moment)
            return true
          }}
        />
      )}
    </>
  )
}

const Time = ({
  label,
  minutes,
  onChange,
}: {
  label: string
  minutes: number
  onChange: (minutes: number) => void
}) => (
  <Typed
    label={label}
    text={clock(minutes)}
    read={(typed) => {
      const found = /^(\d{1,2}):(\d{2})$/.exec(typed.trim())
      const value = found === null ? -1 : Number(found[1]) * 60 + Number(found[2])
      if (value < 0 || value > 1439 || Number(found?.[2]) > 59) return false
      onChange(value)
      return true
    }}
  />
)
