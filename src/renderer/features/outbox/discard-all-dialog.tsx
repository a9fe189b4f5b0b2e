import { t } from '../../../contract/localization/localized.ts'
import { IconTrash } from '@tabler/icons-react'
import { useAccount } from '../../lib/account/current-account.ts'
import { ConfirmDialog } from '../../ui/feedback/confirm-dialog.tsx'

/** Confirms that all queued changes are discarded. */
export function DiscardAllDialog({
  opened,
  count,
  onClose,
  onConfirm,
}: {
  opened: boolean
  count: number
  onClose: () => void
  onConfirm: () => Promise<void>
}) {
  const account = useAccount()
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={onConfirm}
      account={account}
      title={t('screens.outbox-discard-all', { count })}
      lead="You can restore them from the Discarded tab."
      confirmLabel={t('screens.outbox-discard', { count })}
      destructive
      effects={[
        {
          icon: <IconTrash size={16} stroke={1.6} />,
          what: 'Nothing is sent.',
          more: 'Prices, offers and disputes don’t change on the service.',
        },
      ]}
    />
  )
}
