import { IconDatabaseImport, IconFolder, IconKey } from '@tabler/icons-react'
import type { BackupSummary } from '../../../contract/backup.ts'
import { problemOf } from '../../lib/problem.ts'
import { restartKeydesk } from '../../lib/restart.ts'
import { rpc } from '../../lib/rpc.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { formatBytes, formatCount, formatFullMoment } from '../../ui/format.ts'
import { toastProblem } from '../../ui/toasts.tsx'

const icon = { size: 16, stroke: 1.6 }

/** What a checked backup holds, and what happens when it is restored. */
export function RestoreDialog({
  restoreId,
  summary,
  onClose,
}: {
  restoreId: string
  summary: BackupSummary
  onClose: () => void
}) {
  const names = summary.accounts.map(({ name }) => name).join(', ')
  return (
    <ConfirmDialog
      opened
      account={null}
      title={`Restore the backup of ${formatFullMoment(summary.madeAt)}`}
      destructive
      confirmLabel="Restore and restart"
      onClose={() => {
        void rpc.backup
          .state()
          .then(({ waiting }) => (waiting === null ? rpc.backup.cancel() : undefined))
          .finally(onClose)
      }}
      lead={`Made by Keydesk ${summary.version}: ${formatCount(summary.files)} files, ${formatBytes(summary.bytes)}, ${names === '' ? 'no accounts' : names}. It is whole.`}
      effects={[
        {
          icon: <IconDatabaseImport {...icon} />,
          what: 'Keydesk restarts with this data in the place of what is here.',
          more: 'What is under way is written down first.',
        },
        {
          icon: <IconFolder {...icon} />,
          what: 'What is here now is kept in a folder of its own.',
          more: 'Nothing is deleted.',
        },
        {
          icon: <IconKey {...icon} />,
          what: 'API keys come from this machine’s keychain.',
          more: 'Where they are not in it, each account asks for its key again.',
        },
      ]}
      onConfirm={async () => {
        await rpc.backup.restore({ restoreId })
        // The restart comes after; if it doesn't, the backup waits for the next start, and the page
        // says so.
        await restartKeydesk().catch((error: unknown) => toastProblem(problemOf(error)))
      }}
    />
  )
}
