import type { Cents } from '../../../../../server/api/money.ts'
import { cx } from '../../cx.ts'
import { formatCents } from '../../format.ts'
import styles from './money.module.css'

/**
 * An amount in integer cents, with tabular figures and two decimals. `unit` adds a small "EUR"
 * before it (for single amounts; tables name the unit in the header). `sign` adds + before gains.
 */
export function Money({
  cents,
  unit = false,
  sign = false,
  strong = false,
}: {
  cents: Cents
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
export function MoneyChange({ from, to }: { from: Cents; to: Cents }) {
  return (
    <span className={styles.money}>
      <span className={styles.from}>{formatCents(from)}</span>
      <span className={styles.arrow} aria-hidden>
        →
      </span>
      <span className="kd-hidden"> changes to </span>
      <span className={styles.to}>{formatCents(to)}</span>
    </span>
  )
}
