import styles from './market.module.css'

const width = 120
const height = 22

/** Share of the time in the lead per hour, as a line through the known hours. */
export function HourLine({ shares }: { shares: readonly (number | null)[] }) {
  const known = shares.flatMap((share, index) => (share === null ? [] : [{ index, share }]))
  if (known.length < 2) return null
  const low = Math.min(...known.map(({ share }) => share))
  const span = Math.max(0.02, Math.max(...known.map(({ share }) => share)) - low)
  const points = known.map(({ index, share }) => {
    const x = (index / Math.max(1, shares.length - 1)) * (width - 4) + 2
    const y = height - 3 - ((share - low) / span) * (height - 6)
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  return (
    <svg
      className={styles.hours}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label="Time in the lead per hour"
    >
      <polyline points={points.join(' ')} />
    </svg>
  )
}
