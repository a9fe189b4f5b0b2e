import { IconBraces, IconMessage } from '@tabler/icons-react'
import type { Account } from '../../../../contract/app/accounts.ts'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'

const icon = { size: 16, stroke: 1.6 } as const

/** Confirms sending an answer that still contains template fields. */
export function UnfilledDialog({
  account,
  opened,
  unfilled,
  onClose,
  onConfirm,
}: {
  account: Account
  opened: boolean
  unfilled: readonly string[]
  onClose: () => void
  onConfirm: () => void
}) {
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      account={account}
      title={`Send with ${unfilled.join(', ')} not filled in?`}
      confirmLabel="Send anyway"
      cancelLabel="Fill in"
      effects={[
        {
          icon: <IconBraces {...icon} />,
          what: 'The customer sees the name of the field.',
          more: 'Keydesk doesn’t have a value for it.',
        },
        {
          icon: <IconMessage {...icon} />,
          what: 'Sent answers can’t be changed.',
          more: 'No key or money moves.',
        },
      ]}
      onConfirm={async () => onConfirm()}
    />
  )
}
