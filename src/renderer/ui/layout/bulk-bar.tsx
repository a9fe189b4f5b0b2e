import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './bulk-bar.module.css'
import { IconButton, LinkButton } from '../controls/buttons/button.tsx'
import { formatCount } from '../format.ts'

/**
 * Floats above the table's footer while rows are selected: the number of selected rows, the way to
 * select all that match, the most common actions and a close button.
 */
export function BulkBar({
  selected,
  total,
  children,
  onSelectAll,
  onClose,
}: {
  selected: number
  total: number
  children: ReactNode
  onSelectAll: () => void
  onClose: () => void
}) {
  if (selected === 0) return null
  return (
    <div className={styles.over}>
      <div
        className={styles.bar}
        role="toolbar"
        data-floating
        aria-label={`${formatCount(selected)} selected`}
      >
        <span className={styles.count}>
          <b>{formatCount(selected)} selected</b>
        </span>
        {selected >= total ? null : (
          <LinkButton onClick={onSelectAll}>Select all {formatCount(total)}</LinkButton>
        )}
        {children}
        <IconButton label="Clear the selection" onClick={onClose}>
          <IconX size={16} stroke={1.6} />
        </IconButton>
      </div>
    </div>
  )
}
