import { IconArrowsLeftRight } from '@tabler/icons-react'
import { forwardRef, useId } from 'react'
import type { Cents } from '../../../../../server/api/money.ts'
import { formatCents, formatEur, parseCents } from '../../format.ts'
import { useDraft } from '../../hooks/use-draft.ts'
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

const formatOptional = (cents: Cents | null): string => (cents === null ? '' : formatCents(cents))

/** One amount in EUR, typed as text. An error, or the rounded amount, appears under the field. */
export const MoneyField = forwardRef<HTMLInputElement, MoneyFieldProps>(function MoneyField(
  { label, cents, onChange, onEnter, onEscape, disabled = false, wrong = null },
  ref,
) {
  const id = useId()
  const draft = useDraft(cents, formatOptional)
  const shown = draft.wrong ?? wrong
  const read = parseCents(draft.typed)
  const isRounded = cents !== null && 'cents' in read && read.cents !== cents
  const hint = shown ?? (isRounded ? `Rounded to ${formatEur(cents)}` : null)
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
          value={draft.typed}
          disabled={disabled}
          aria-invalid={shown !== null}
          aria-describedby={hint === null ? undefined : `${id}-hint`}
          onFocus={(event) => event.currentTarget.select()}
          onBlur={() => {
            if (draft.wrong === null) draft.end()
          }}
          onChange={(event) => {
            const typed = parseCents(event.currentTarget.value)
            draft.type(event.currentTarget.value, 'wrong' in typed ? typed.wrong : null)
            onChange('wrong' in typed ? null : typed.cents)
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
      {hint === null ? null : (
        <div id={`${id}-hint`} className={shown === null ? styles.hint : styles.wrong}>
          {shown === null ? null : <Mark kind="alert" size={12} />}
          {hint}
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
