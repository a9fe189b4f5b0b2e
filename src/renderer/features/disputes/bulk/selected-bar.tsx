import { IconX } from '@tabler/icons-react'
import { Button, IconButton } from '../../../ui/controls/buttons/button.tsx'
import { formatCount } from '../../../ui/format.ts'
import styles from './bulk.module.css'
import type { DisputeSelection } from './use-dispute-selection.ts'

/** The number of selected disputes and what can be done with them, below the list. */
export function SelectedBar({
  selection: { rows, clear },
  onReply,
}: {
  selection: DisputeSelection
  onReply: () => void
}) {
  if (rows.length === 0) return null
  return (
    <div className={styles.selected} role="toolbar" aria-label="Selected disputes">
      <b>{formatCount(rows.length)} selected</b>
      <Button kind="primary" keys={['R']} onClick={onReply}>
        Answer together…
      </Button>
      <IconButton label="Clear the selection (Esc)" onClick={clear}>
        <IconX size={16} stroke={1.6} />
      </IconButton>
    </div>
  )
}
