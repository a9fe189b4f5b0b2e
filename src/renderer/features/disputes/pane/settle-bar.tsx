import { IconArrowsExchange } from '@tabler/icons-react'
import type { DisputeActionKind } from '../../../../contract/disputes/dispute-records.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import styles from '../disputes.module.css'

/** The buttons that replace the key or refund the customer. */
export function SettleBar({
  disabled,
  onAct,
}: {
  disabled: boolean
  onAct: (kind: DisputeActionKind) => void
}) {
  return (
    <footer className={styles.acts}>
      <Button
        kind="primary"
        icon={<IconArrowsExchange size={16} stroke={1.6} />}
        keys={['S']}
        disabled={disabled}
        onClick={() => onAct('replace-stock')}
      >
        Replace from stock…
      </Button>
      <Button keys={['P']} disabled={disabled} onClick={() => onAct('replace-key')}>
        Replace with a key…
      </Button>
      <Button kind="danger" keys={['F']} disabled={disabled} onClick={() => onAct('refund')}>
        Refund…
      </Button>
    </footer>
  )
}
