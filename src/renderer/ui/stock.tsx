import { IconAlertTriangle } from '@tabler/icons-react'
import { formatCount } from './format.ts'
import styles from './stock.module.css'

/** Stock of an own offer: plain, amber with a triangle when low, "Empty" in red at zero. `quiet` for paused or stale rows. */
export function Stock({ count, lowAt, quiet = false }: { count: number; lowAt: number; quiet?: boolean }) {
  if (quiet) return <span className={styles.stock}>{count === 0 ? 'Empty' : formatCount(count)}</span>
  if (count === 0) return <span className={styles.empty}>Empty</span>
  if (count > lowAt) return <span className={styles.stock}>{formatCount(count)}</span>
  return <span className={styles.low}><IconAlertTriangle size={14} stroke={1.6} aria-label="Low" />{formatCount(count)}</span>
}
