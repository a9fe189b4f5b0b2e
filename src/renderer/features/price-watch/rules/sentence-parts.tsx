import { type ReactNode, useEffect, useState } from 'react'
import type { Cents } from '../../../../../server/api/money.ts'
import { formatCents, parseCents } from '../../../ui/format.ts'
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
 * A text field within a sentence. `read` returns false for an invalid value; the last valid value
 * stays.
 */
export function Typed({
  label,
  text,
  read,
  placeholder,
  isMoment = false,
}: {
  label: string
  text: string
  read: (typed: string) => boolean
  placeholder?: string
  /** Wide enough for a date with its time. */
  isMoment?: boolean
}) {
  const [typed, setTyped] = useState(text)
  const [wrong, setWrong] = useState(false)
  useEffect(() => {
    setTyped(text)
    setWrong(false)
  }, [text])
  return (
    <input
      type="text"
      className={cx(styles.typed, isMoment && styles.moment)}
      data-wrong={wrong || undefined}
      aria-label={label}
      aria-invalid={wrong}
      placeholder={placeholder}
      value={typed}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={() => {
        if (wrong) {
          setTyped(text)
          setWrong(false)
        }
      }}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        setWrong(!read(event.currentTarget.value))
      }}
    />
  )
}

export const CentsField = ({
  label,
  cents,
  onChange,
  least = 0,
}: {
  label: string
  cents: Cents
  onChange: (cents: Cents) => void
  least?: number
}) => (
  <Typed
    label={label}
    text={formatCents(cents)}
    read={(typed) => {
      const parsed = parseCents(typed)
      if ('wrong' in parsed || parsed.cents < least || parsed.cents > 10_000_000) return false
      onChange(parsed.cents)
      return true
    }}
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
      text={String(value)}
      read={(typed) => {
        const number = Number(typed.replace(',', '.'))
        const fits =
          typed.trim() !== '' &&
          number >= from &&
          number <= to &&
          Number(number.toFixed(decimals)) === number
        if (fits) onChange(number)
        return fits
      }}
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
