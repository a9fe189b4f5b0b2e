import { cx } from './cx.ts'
import { formatCents } from './format.ts'
import styles from './money.module.css'

/**
 * An amount of integer cents with tabular figures and two decimals. `unit` writes a small "EUR"
 * before it (single amounts; in tables it stands in the column's head). `sign` puts + before gains.
 */
export function Money({
  cents,
  unit = false,
  sign = false,
  strong = false,
}: {
  cents: number
  unit?: boolean
  sign?: boolean
  strong?: boolean
}) {
  return (
    <span className={cx(styles.money, strong && styles.strong)}>
      {unit ? (
        <>
          <span className={styles.unit}>EUR</span>{' '}
        </>
      ) : null}
      {formatCents(cents, { sign })}
    </span>
  )
}

/** An amount before and after: `12.85 → 12.46`. */
export function MoneyChange({ from, to }: { from: number; to: number }) {
  return (
    <span className={styles.money}>
      <span className={styles.from}>{formatCents(from)}</span>
      <span className={styles.arrow} aria-hidden>
        →
      </span>
      <span className="kd-hidden"> becomes </span>
      <span className={styles.to}>{formatCents(to)}</span>
    </span>
  )
}
