import { IconTrash } from '@tabler/icons-react'
import { useAccount } from '../../lib/account/current-account.ts'
import { ConfirmDialog } from '../../ui/feedback/confirm-dialog.tsx'
import { formatCount } from '../../ui/format.ts'

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
  const changes = count === 1 ? 'change' : 'changes'
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={onConfirm}
      account={account}
      title={`Discard all ${formatCount(count)} queued ${changes}?`}
      lead="You can restore them from the Discarded tab."
      confirmLabel={`Discard ${formatCount(count)} ${changes}`}
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
