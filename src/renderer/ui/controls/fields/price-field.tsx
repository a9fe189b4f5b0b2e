import { IconArrowsLeftRight } from '@tabler/icons-react'
import { forwardRef, useEffect, useId, useState } from 'react'
import type { Cents } from '../../../../../server/api/money.ts'
import { formatCents, parseCents } from '../../format.ts'
import { Mark } from '../../data-display/identity/mark.tsx'
import styles from './price-field.module.css'

export interface MoneyFieldProps {
  label: string
  /** Null: empty or invalid. */
  cents: Cents | null
  onChange: (cents: Cents | null) => void
  onEnter?: () => void
  onEscape?: () => void
  disabled?: boolean
  /** Shown in red under the field when the number is valid but not allowed. */
  wrong?: string | null
}

/** One amount in EUR, typed as text. Errors appear under the field. */
export const MoneyField = forwardRef<HTMLInputElement, MoneyFieldProps>(function MoneyField(
  { label, cents, onChange, onEnter, onEscape, disabled = false, wrong = null },
  ref,
) {
  const id = useId()
  const [text, setText] = useState(() => (cents === null ? '' : formatCents(cents)))
  const [message, setMessage] = useState<string | null>(null)
  const [focused, setFocused] = useState(false)
  useEffect(() => {
    if (cents === null) return
    setText((typed) => {
      const read = parseCents(typed)
      return focused && 'cents' in read && read.cents === cents ? typed : formatCents(cents)
    })
    setMessage(null)
  }, [cents, focused])
  const shown = message ?? wrong
  return (
    <div className={styles.money}>
      <label htmlFor={id}>{label}</label>
      <div
        className={styles.box}
        data-wrong={shown !== null || undefined}
        data-off={disabled || undefined}
      >
        <span aria-hidden>EUR</span>
        <input
          id={id}
          ref={ref}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          disabled={disabled}
          aria-invalid={shown !== null}
          aria-describedby={shown === null ? undefined : `${id}-wrong`}
          onFocus={(event) => {
            setFocused(true)
            event.currentTarget.select()
          }}
          onBlur={() => {
            setFocused(false)
            if (cents !== null && message === null) setText(formatCents(cents))
          }}
          onChange={(event) => {
            setText(event.currentTarget.value)
            const read = parseCents(event.currentTarget.value)
            setMessage('wrong' in read ? read.wrong : null)
            onChange('wrong' in read ? null : read.cents)
          }}
          onKeyDown={(event) => {
            if (
              event.key === 'Enter' &&
              !event.ctrlKey &&
              !event.metaKey &&
              onEnter !== undefined
            ) {
              event.preventDefault()
              onEnter()
            }
            if (event.key === 'Escape' && onEscape !== undefined) {
              event.stopPropagation()
              onEscape()
            }
          }}
        />
      </div>
      {shown === null ? null : (
        <div id={`${id}-wrong`} className={styles.wrong}>
          <Mark kind="alert" size={12} />
          {shown}
        </div>
      )}
    </div>
  )
})

export interface PriceFieldProps {
  /** The seller's amount; null while the typed text isn't a price. */
  cents: Cents | null
  onChange: (receiveCents: Cents | null) => void
  /** Commission as a percentage of the received amount. */
  commissionPercent: number | null
  customerOf: (receiveCents: Cents, percent: number) => Cents
  receiveOf: (customerCents: Cents, percent: number) => Cents
  onEnter?: () => void
  onEscape?: () => void
  wrong?: string | null
}

/**
 * Two linked fields: "You receive" is the price, and "Customer pays" follows by the commission, and
 * vice versa.
 */
export function PriceField({
  cents,
  onChange,
  commissionPercent,
  customerOf,
  receiveOf,
  onEnter,
  onEscape,
  wrong = null,
}: PriceFieldProps) {
  const keys = {
    ...(onEnter === undefined ? {} : { onEnter }),
    ...(onEscape === undefined ? {} : { onEscape }),
  }
  return (
    <div className={styles.pair}>
      <MoneyField label="You receive" cents={cents} onChange={onChange} wrong={wrong} {...keys} />
      <IconArrowsLeftRight size={15} stroke={1.6} className={styles.link} aria-hidden />
      <MoneyField
        label="Customer pays"
        disabled={commissionPercent === null}
        cents={
          cents === null || commissionPercent === null ? null : customerOf(cents, commissionPercent)
        }
        onChange={(customer) =>
          onChange(
            customer === null || commissionPercent === null
              ? null
              : receiveOf(customer, commissionPercent),
          )
        }
        {...keys}
      />
    </div>
  )
}
