import { cents, ZERO } from '../../../../../server/api/money.ts'
import type {
  PriceCeiling,
  PriceFloor,
  PriceStep,
} from '../../../../contract/price-watch/price-rules.ts'
import { formatLocalMoment, momentExample, parseLocalMoment } from '../../../lib/local-moment.ts'
import { Amount, CentsField, type Choice, Typed, Word } from './sentence-parts.tsx'
import { DAY_MS } from '../../../../../server/api/time.ts'

const minute = 60_000
const hour = 60 * minute

const units = [
  [60_000, 'min'],
  [3_600_000, 'h'],
  [DAY_MS, 'd'],
] as const
type Unit = (typeof units)[number]
const unitOf = (ms: number): Unit =>
  units.findLast(([size]) => ms >= size && ms % size === 0) ?? units[0]
const formatSpan = (ms: number): string => `${ms / unitOf(ms)[0]} ${unitOf(ms)[1]}`

/** A duration: `15 min`, `6 h`, `1 d`. A number alone has the unit that the field showed. */
export function Span({
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
  return (
    <Typed
      label={label}
      value={ms}
      format={formatSpan}
      parse={(typed, before) => {
        const found = /^(\d+)\s*(m|min|h|d)?$/i.exec(typed.trim())
        if (found === null) return undefined
        const letter = (found[2] ?? unitOf(before)[1])[0]?.toLowerCase()
        const size = units.find(([, unit]) => unit[0] === letter)?.[0] ?? minute
        const value = Number(found[1]) * size
        return value < from || value > to ? undefined : value
      }}
      onChange={onChange}
    />
  )
}

/** An amount in EUR or a percentage. */
export function Step({
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
        <CentsField
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
        onChange={(by) => onChange(by === 'amount' ? { by, cents: cents(1) } : { by, percent: 1 })}
      />
    </>
  )
}

type Kind = PriceCeiling['kind']
const limitOf = (kind: Exclude<Kind, 'none'>): PriceFloor =>
  kind === 'cost' ? { kind, profitCents: ZERO, profitPercent: 10 } : { kind, cents: cents(1000) }
/** A price limit: none, from the cost, or an amount. */
export function Limit({
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
          <CentsField
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
          <CentsField
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
/**
 * Start or end of a rule in local time; null for none. A new value is the next full hour, `first`
 * days from now.
 */
export function Edge({
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
          label={`${label} at`}
          placeholder={momentExample}
          isMoment
          value={at}
          format={formatLocalMoment}
          parse={(typed) => parseLocalMoment(typed) ?? undefined}
          onChange={onChange}
        />
      )}
    </>
  )
}

/** A time of day: `HH:MM`. */
export const Time = ({
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
    value={minutes}
    format={clock}
    parse={(typed) => {
      const found = /^(\d{1,2}):([0-5]\d)$/.exec(typed.trim())
      const value = found === null ? -1 : Number(found[1]) * 60 + Number(found[2])
      return value < 0 || value > 1439 ? undefined : value
    }}
    onChange={onChange}
  />
)
