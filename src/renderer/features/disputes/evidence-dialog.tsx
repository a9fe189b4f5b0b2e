import { IconFileExport } from '@tabler/icons-react'
import type { Account } from '../../../contract/app/accounts.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { rpc } from '../../lib/core/rpc.ts'
import { saveFile } from '../../lib/save-file.ts'
import { openVault } from '../../lib/vault-gate.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { ConfirmDialog } from '../../ui/feedback/confirm-dialog.tsx'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import styles from './disputes.module.css'

const fail = (error: unknown): void => {
  toastProblem(problemOf(error))
}

/**
 * Saves a dispute's dossier as one archive; texts are masked unless a person wants them complete.
 */
export function EvidenceDialog({
  account,
  disputeId,
  opened,
  onClose,
}: {
  account: Account
  disputeId: string
  opened: boolean
  onClose: () => void
}) {
  const pack = async (secrets: boolean): Promise<void> => {
    if (!(await openVault())) return
    const { fileName, base64 } = await rpc.disputes.evidence({
      accountId: account.id,
      disputeId,
      secrets,
    })
    saveFile(fileName, base64)
    toast({
      title: 'Evidence saved',
      text: secrets
        ? 'The texts are complete and may contain keys. Keep the file private.'
        : 'Text that resembles a key is masked.',
    })
  }
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={() =>
        pack(false).catch((error: unknown) => {
          fail(error)
          throw error
        })
      }
      account={account}
      title="Save the evidence?"
      lead="One archive with the dossier as Markdown and JSON, and the images."
      confirmLabel="Save evidence"
      effects={[
        {
          icon: <IconFileExport size={16} stroke={1.6} />,
          what: 'Text that resembles a key is masked.',
          more: 'Images are saved unchanged: check them before you share the file.',
        },
      ]}
    >
      <p className={styles.note}>
        <Button
          kind="danger"
          onClick={() => {
            onClose()
            void pack(true).catch(fail)
          }}
        >
          Save without masking
        </Button>
      </p>
    </ConfirmDialog>
  )
}
