import { IconAlertTriangleFilled, IconArrowsExchange } from '@tabler/icons-react'
import { t } from '../../../../contract/localization/localized.ts'
import type { BatchDisputes } from '../../../../contract/disputes/dispute-records.ts'
import type { DisputeActionKind } from '../../../../contract/disputes/dispute-replies.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import styles from './pane.module.css'

/**
 * The buttons that replace the key or refund the customer. Without keys in stock, or while a batch
 * with an alarm has keys in stock, the main one asks for a key.
 */
export function SettleBar({
  disabled,
  stock,
  alarms,
  onAct,
  onWithdraw,
}: {
  disabled: boolean
  /** Keys of the offer in stock; null if unknown. */
  stock: number | null
  /** Batches with an alarm that have keys in stock. */
  alarms: readonly BatchDisputes[]
  onAct: (kind: DisputeActionKind) => void
  /** Withdraws the first of these batches; null while that isn't possible. */
  onWithdraw: (() => void) | null
}) {
  const [alarm] = alarms
  const fromStock = stock !== 0 && alarm === undefined
  return (
    <footer className={styles.acts}>
      {alarm === undefined ? null : (
        <p className={styles.actsNote} role="status">
          <IconAlertTriangleFilled size={14} aria-hidden />
          <span>
            <b>
              {t('screens.disputes-alarm-in-stock', {
                count: alarm.forSale,
                stock: stock ?? alarm.forSale,
                batch: alarm.name,
              })}
            </b>{' '}
            The service sends the oldest key in stock, so a replacement could fail again.
          </span>
        </p>
      )}
      {alarm === undefined ? (
        <Button
          kind={fromStock ? 'primary' : 'standard'}
          icon={<IconArrowsExchange size={16} stroke={1.6} />}
          keys={['S']}
          disabled={disabled || !fromStock}
          onClick={() => onAct('replace-stock')}
        >
          {stock === 0 ? 'Replace: no keys in stock' : 'Replace from stock…'}
        </Button>
      ) : (
        <Button
          icon={<IconArrowsExchange size={16} stroke={1.6} />}
          keys={['S']}
          disabled={disabled || onWithdraw === null}
          onClick={() => onWithdraw?.()}
        >
          Withdraw the batch first…
        </Button>
      )}
      <Button
        kind={fromStock ? 'standard' : 'primary'}
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
