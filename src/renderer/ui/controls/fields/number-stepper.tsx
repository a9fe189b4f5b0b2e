import { IconMinus, IconPlus } from '@tabler/icons-react'
import styles from './number-stepper.module.css'

/** A small whole number with − and + buttons. It can also be typed or changed with ↑ ↓. */
export function NumberStepper({
  value,
  onChange,
  min = 1,
  max = 9,
  label,
}: {
  value: number
  onChange: (value: number) => void
  min?: number
  max?: number
  label: string
}) {
  const set = (next: number): void => {
    if (Number.isInteger(next)) onChange(Math.min(max, Math.max(min, next)))
  }
  return (
    <span className={styles.stepper}>
      <button
        type="button"
        aria-label={`Less: ${label}`}
        disabled={value <= min}
        onClick={() => set(value - 1)}
      >
        <IconMinus size={13} stroke={1.8} aria-hidden />
      </button>
      <input
        inputMode="numeric"
        role="spinbutton"
        aria-label={label}
        aria-valuenow={value}
        aria-valuemin={min}
        aria-valuemax={max}
        value={value}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          // Steps start from the last typed digits. A number below the minimum isn't a valid
          // starting point.
          const typed = Number(
            event.currentTarget.value.replace(/\D/g, '').slice(-String(max).length),
          )
          if (typed >= min) set(typed)
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowUp') {
            event.preventDefault()
            set(value + 1)
          }
          if (event.key === 'ArrowDown') {
            event.preventDefault()
            set(value - 1)
          }
        }}
      />
      <button
        type="button"
        aria-label={`More: ${label}`}
        disabled={value >= max}
        onClick={() => set(value + 1)}
      >
        <IconPlus size={13} stroke={1.8} aria-hidden />
      </button>
    </span>
  )
}
