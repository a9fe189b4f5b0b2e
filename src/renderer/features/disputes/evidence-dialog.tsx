import { IconFileExport } from '@tabler/icons-react'
import { useState } from 'react'
import type { Account } from '../../../contract/app/accounts.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { rpc } from '../../lib/core/rpc.ts'
import { saveFile } from '../../lib/save-file.ts'
import { openVault } from '../../lib/vault-gate.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { ConfirmDialog } from '../../ui/feedback/confirm-dialog.tsx'
import { PlainExportDialog } from '../../ui/feedback/plain-export-dialog.tsx'
import { ProblemNotice } from '../../ui/feedback/problem-notice.tsx'
import { toast } from '../../ui/feedback/toasts.tsx'
import styles from './disputes.module.css'

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
  const [isUnmasking, setUnmasking] = useState(false)
  const [failed, setFailed] = useState<ReturnType<typeof problemOf> | null>(null)
  const ref = { accountId: account.id, disputeId }
  const save = ({ fileName, base64 }: { fileName: string; base64: string }, text: string): void => {
    saveFile(fileName, base64)
    toast({ title: 'Evidence saved', text })
  }
  if (isUnmasking)
    return (
      <PlainExportDialog
        account={account}
        what="The texts of the dispute, which may contain keys,"
        onExport={async (typed) =>
          save(
            await rpc.disputes.evidenceUnmasked({ ...ref, typed }),
            'The texts are complete and may contain keys. Keep the file private.',
          )
        }
        onClose={() => {
          setUnmasking(false)
          onClose()
        }}
      />
    )
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={async () => {
        try {
          if (await openVault())
            save(await rpc.disputes.evidence(ref), 'Text that resembles a key is masked.')
        } catch (error) {
          setFailed(problemOf(error))
          throw error
        }
      }}
      failure={failed === null ? null : <ProblemNotice problem={failed} />}
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
        <Button kind="danger" onClick={() => void openVault().then(setUnmasking)}>
          Save without masking…
        </Button>
      </p>
    </ConfirmDialog>
  )
}
