import styles from './mini-bars.module.css'

const highest = 13
const wide = 3
const step = 5
const round = 0.5

/** The outline of one bar on the baseline, with rounded corners. */
function bar(at: number, height: number): string {
  const arc = (x: number, y: number): string => `a${round} ${round} 0 0 1 ${x} ${y}`
  const straight = height - 2 * round
  return (
    `M${at * step} ` +
    `${highest - height + round}${arc(round, -round)}h${wide - 2 * round}${arc(round, round)}` +
    `v${straight}${arc(-round, round)}h${2 * round - wide}${arc(-round, -round)}z`
  )
}

/**
 * Seven days of sales as bars in a cell, the last one darker. `label` gives the same information as
 * text. It uses only two paths, because each shape costs time while the table scrolls.
 */
export function MiniBars({ values, label }: { values: readonly number[]; label: string }) {
  const most = Math.max(1, ...values)
  const bars = values.map((value, index) =>
    bar(index, Math.max(1, Math.round((value / most) * highest))),
  )
  return (
    <svg
      className={styles.bars}
      width={33}
      height={highest}
      viewBox="0 0 33 13"
      role="img"
      aria-label={label}
    >
      <path d={bars.slice(0, -1).join('')} />
      <path d={bars.at(-1)} className={styles.last} />
    </svg>
  )
}
