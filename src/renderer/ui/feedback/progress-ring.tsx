import styles from './progress-ring.module.css'

/**
 * A small ring: a share from 0 to 1, or spinning while it is unknown (`null`). `label` names the
 * activity.
 */
export function ProgressRing({
  share = null,
  size = 14,
  label,
}: {
  share?: number | null
  size?: number
  label: string
}) {
  const length = 2 * Math.PI * 5.6
  return (
    <svg
      className={share === null ? styles.turning : styles.ring}
      width={size}
      height={size}
      viewBox="0 0 14 14"
      role="img"
      aria-label={label}
    >
      <circle cx="7" cy="7" r="5.6" className={styles.track} />
      <circle
        cx="7"
        cy="7"
        r="5.6"
        className={styles.done}
        strokeDasharray={`${(share ?? 0.28) * length} ${length}`}
        transform="rotate(-90 7 7)"
      />
    </svg>
  )
}

/** A thin bar: a share from 0 to 1. Set `tone` to ok when finished. */
export function ProgressBar({
  share,
  label,
  width,
  tone = 'neutral',
}: {
  share: number
  label: string
  width?: number
  tone?: 'neutral' | 'accent' | 'ok' | 'warn'
}) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100)
  return (
    <span
      className={styles.bar}
      style={width === undefined ? undefined : { width }}
      role="progressbar"
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-label={label}
      data-tone={tone}
    >
      <i style={{ width: `${percent}%` }} />
    </span>
  )
}
