import { cx } from '../cx.ts'
import { formatDuration } from '../format.ts'
import styles from './time-left.module.css'
import { HOUR_MS } from '../../../../server/api/time.ts'

/** Gray above 24 hours, amber below, red below 6. */
function urgencyOf(leftMs: number): 'calm' | 'soon' | 'urgent' {
  if (leftMs < 6 * HOUR_MS) return 'urgent'
  return leftMs < 24 * HOUR_MS ? 'soon' : 'calm'
}

/** Time left as a pie and text: `leftMs` of `wholeMs`. The pie shows the remaining part. */
export function TimeLeft({ leftMs, wholeMs }: { leftMs: number; wholeMs: number }) {
  const urgency = urgencyOf(leftMs)
  const part = Math.min(1, Math.max(0, leftMs / wholeMs))
  const angle = part * 2 * Math.PI
  const end = `${(8 + 4 * Math.sin(angle)).toFixed(2)} ${(8 - 4 * Math.cos(angle)).toFixed(2)}`
  return (
    <span className={cx(styles.left, styles[urgency])}>
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden>
        <circle cx="8" cy="8" r="6.4" fill="none" stroke="currentColor" strokeWidth="1.3" />
        {part >= 0.999 ? (
          <circle cx="8" cy="8" r="4" fill="currentColor" />
        ) : (
          <path d={`M8 8V4A4 4 0 ${part > 0.5 ? 1 : 0} 1 ${end}Z`} fill="currentColor" />
        )}
      </svg>
      {leftMs <= 0 ? 'over' : formatDuration(leftMs)}
    </span>
  )
}

/**
 * The seven days in which a claim is possible as seven cells, amber on the last day. `leftMs` until
 * the end, at which a claim is still possible.
 */
export function ClaimClock({ leftMs }: { leftMs: number }) {
  const days = Math.max(0, Math.min(7, leftMs / (24 * HOUR_MS)))
  const full = Math.min(7, Math.ceil(days))
  const last = leftMs >= 0 && days <= 1
  return (
    <span className={styles.claim}>
      <span className={styles.cells} aria-hidden>
        {Array.from({ length: 7 }, (_, index) => (
          <i
            key={index}
            className={index < full ? (last ? styles.cellLast : styles.cellOn) : undefined}
          />
        ))}
      </span>
      <span className={last ? styles.soon : undefined}>
        {leftMs < 0
          ? 'over'
          : last
            ? `${leftMs < HOUR_MS ? formatDuration(leftMs) : `${Math.floor(leftMs / HOUR_MS)} h`} left`
            : formatDuration(leftMs)}
      </span>
    </span>
  )
}
