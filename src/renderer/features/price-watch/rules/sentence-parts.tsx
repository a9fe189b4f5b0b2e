import type { ReactNode } from 'react'
import type { Cents } from '../../../../../server/api/money.ts'
import { formatCents, parseCents } from '../../../ui/format.ts'
import { useDraft } from '../../../ui/hooks/use-draft.ts'
import shared from '../price-watch.module.css'
import { cx } from '../../../ui/cx.ts'
import styles from './rules.module.css'

export interface Choice<Value extends string> {
  value: Value
  label: string
}

/** A menu within a sentence. */
export function Word<Value extends string>({
  label,
  value,
  choices,
  onChange,
}: {
  label: string
  value: Value
  choices: readonly Choice<Value>[]
  onChange: (value: Value) => void
}) {
  return (
    <select
      className={shared.word}
      aria-label={label}
      value={value}
      onChange={(event) => {
        const chosen = choices.find((choice) => choice.value === event.currentTarget.value)
        if (chosen !== undefined) onChange(chosen.value)
      }}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  )
}

/**
 * A text field within a sentence. The typed text stays until the field loses the focus, also while
 * its value changes with every character. `parse` returns undefined for an invalid text, and the last
 * valid value stays. Its `before` is the value when the field got the focus.
 */
export function Typed<Value>({
  label,
  value,
  format,
  parse,
  onChange,
  placeholder,
  isMoment = false,
}: {
  label: string
  value: Value
  format: (value: Value) => string
  parse: (typed: string, before: Value) => Value | undefined
  onChange: (value: Value) => void
  placeholder?: string
  /** Wide enough for a date with its time. */
  isMoment?: boolean
}) {
  const draft = useDraft(value, format)
  const isWrong = draft.wrong !== null
  return (
    <input
      type="text"
      className={cx(styles.typed, isMoment && styles.moment)}
      data-wrong={isWrong || undefined}
      aria-label={label}
      aria-invalid={isWrong}
      placeholder={placeholder}
      value={draft.typed}
      onFocus={(event) => {
        draft.begin()
        event.currentTarget.select()
      }}
      onBlur={draft.end}
      onChange={(event) => {
        const typed = event.currentTarget.value
        const parsed = parse(typed, draft.before)
        draft.type(typed, parsed === undefined ? 'invalid' : null)
        if (parsed !== undefined) onChange(parsed)
      }}
    />
  )
}

/** An amount in cents as typed; undefined if it is invalid or outside the limits. */
export function parseWithin(typed: string, least = 0): Cents | undefined {
  const parsed = parseCents(typed)
  const fits = 'cents' in parsed && parsed.cents >= least && parsed.cents <= 10_000_000
  return fits ? parsed.cents : undefined
}

export const CentsField = ({
  label,
  cents,
  onChange,
  least,
}: {
  label: string
  cents: Cents
  onChange: (cents: Cents) => void
  least?: number
}) => (
  <Typed
    label={label}
    value={cents}
    format={formatCents}
    parse={(typed) => parseWithin(typed, least)}
    onChange={onChange}
  />
)

export function Amount({
  label,
  value,
  onChange,
  from,
  to,
  decimals = 0,
}: {
  label: string
  value: number
  onChange: (value: number) => void
  from: number
  to: number
  decimals?: number
}) {
  return (
    <Typed
      label={label}
      value={value}
      format={String}
      parse={(typed) => {
        const number = Number(typed.replace(',', '.'))
        const fits =
          typed.trim() !== '' &&
          number >= from &&
          number <= to &&
          Number(number.toFixed(decimals)) === number
        return fits ? number : undefined
      }}
      onChange={onChange}
    />
  )
}

/** One clause of a rule: its label and content. */
export const Clause = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={styles.clause} role="group" aria-label={label}>
    <span>{label}</span>
    <div>{children}</div>
  </div>
)
