import styles from './data-table.module.css'

/** Gray bars as placeholders with the height of rows. */
export function SkeletonRows({
  columns,
  height,
}: {
  columns: readonly ('start' | 'end')[]
  height: number
}) {
  return (
    <div className={styles.skeleton} aria-hidden>
      {Array.from({ length: 12 }, (_, line) => (
        <div key={line} style={{ height }}>
          {columns.map((align, index) => (
            <i
              key={index}
              data-align={align}
              style={{ width: index === 0 ? 150 + ((line * 53) % 110) : 36 }}
            />
          ))}
        </div>
      ))}
    </div>
  )
}
