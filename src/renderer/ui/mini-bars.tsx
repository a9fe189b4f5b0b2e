import styles from './mini-bars.module.css'

/** Seven days of sales as bars in a cell, the last one darker. `label` tells the same in words. */
export function MiniBars({ values, label }: { values: readonly number[]; label: string }) {
  const most = Math.max(1, ...values)
  return (
    <svg className={styles.bars} width={33} height={13} viewBox="0 0 33 13" role="img" aria-label={label}>
      {values.map((value, index) => {
        const height = Math.max(1, Math.round((value / most) * 13))
        return <rect key={index} x={index * 5} y={13 - height} width={3} height={height} rx={0.5} className={index === values.length - 1 ? styles.last : undefined} />
      })}
    </svg>
  )
}
