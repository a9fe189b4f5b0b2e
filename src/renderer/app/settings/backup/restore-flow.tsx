import { useRef, useState } from 'react'
import type { BackupSummary } from '../../../../contract/app/backup.ts'
import { restartKeydesk } from '../../../lib/core/restart.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { ProgressBar } from '../../../ui/feedback/progress-ring.tsx'
import { SecretDialog } from '../secrets/secret-dialog.tsx'
import { uploadBackup } from './backup-files.ts'
import { RestoreDialog } from './restore-dialog.tsx'

/**
 * Restores a backup: asks for the file and its passphrase, checks the complete backup, then shows
 * its contents and asks before it replaces anything.
 *
 * @param reopen opens the restored data
 */
export function RestoreFlow({
  onClose,
  reopen = restartKeydesk,
}: {
  onClose: () => void
  reopen?: () => Promise<void>
}) {
  const [share, setShare] = useState<number | null>(null)
  const [checked, setChecked] = useState<{ restoreId: string; summary: BackupSummary } | null>(null)
  const isChecked = useRef(false)
  if (checked !== null) return <RestoreDialog {...checked} reopen={reopen} onClose={onClose} />
  return (
    <SecretDialog
      title="Restore a backup"
      lead="Keydesk unpacks and checks the backup first. Nothing is replaced yet."
      ask={{
        file: 'Backup (.keydesk-backup)',
        large: true,
        present: 'Passphrase of the backup',
      }}
      confirmLabel="Check the backup"
      // The dialog also closes after a successful check, which the next dialog follows.
      onClose={() => {
        if (!isChecked.current) onClose()
      }}
      onConfirm={async ({ file, present }) => {
        if (file === null) return
        const restoreId = await uploadBackup(file, setShare)
        const summary = await rpc.backup.check({ restoreId, passphrase: present })
        isChecked.current = true
        setChecked({ restoreId, summary })
      }}
    >
      {share === null ? null : <ProgressBar share={share} label="Reading the backup" />}
    </SecretDialog>
  )
}
