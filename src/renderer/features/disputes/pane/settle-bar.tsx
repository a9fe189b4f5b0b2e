import { IconArrowsExchange } from '@tabler/icons-react'
import type { DisputeActionKind } from '../../../../contract/disputes/dispute-records.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import styles from '../disputes.module.css'

/**
 * The buttons that replace the key or refund the customer. Without keys in stock, the main one asks
 * for a key.
 */
export function SettleBar({
  disabled,
  stock,
  onAct,
}: {
  disabled: boolean
  /** Keys of the offer in stock; null if unknown. */
  stock: number | null
  onAct: (kind: DisputeActionKind) => void
}) {
  return (
    <footer className={styles.acts}>
      <Button
        kind={stock === 0 ? 'standard' : 'primary'}
        icon={<IconArrowsExchange size={16} stroke={1.6} />}
        keys={['S']}
        disabled={disabled || stock === 0}
        onClick={() => onAct('replace-stock')}
      >
        {stock === 0 ? 'Replace: no keys in stock' : 'Replace from stock…'}
      </Button>
      <Button
        kind={stock === 0 ? 'primary' : 'standard'}
        keys={['P']}
        disabled={disabled}
        onClick={() => onAct('replace-key')}
      >
        Replace with a key…
      </Button>
      <Button kind="danger" keys={['F']} disabled={disabled} onClick={() => onAct('refund')}>
        Refund…
      </Button>
    </footer>
  )
}
