import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './bulk-bar.module.css'
import { IconButton } from '../controls/buttons/button.tsx'
import { formatCount } from '../format.ts'

/**
 * Floats above the table's footer while rows are selected: the number of selected rows, the most
 * common actions and a close button.
 */
export function BulkBar({
  selected,
  total,
  children,
  onClose,
}: {
  selected: number
  total: number
  children: ReactNode
  onClose: () => void
}) {
  if (selected === 0) return null
  return (
    <div className={styles.over}>
      <div className={styles.bar} role="toolbar" aria-label={`${formatCount(selected)} selected`}>
        <span className={styles.count}>
          <b>{formatCount(selected)} selected</b> of {formatCount(total)}
        </span>
        {children}
        <IconButton label="Clear the selection" onClick={onClose}>
          <IconX size={16} stroke={1.6} />
        </IconButton>
      </div>
    </div>
  )
}
