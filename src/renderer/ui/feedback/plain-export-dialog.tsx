import { IconAlertTriangle, IconFileExport, IconListDetails } from '@tabler/icons-react'
import { useState } from 'react'
import { PLAIN_EXPORT_PHRASE } from '../../../contract/app/vault.ts'
import { problemOf } from '../../lib/core/problem.ts'
import type { ConfirmDialogProps } from './confirm-dialog.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { ProblemNotice } from './problem-notice.tsx'

/**
 * Asks for confirmation before keys are saved unencrypted. Every such export uses this dialog, in
 * every mode.
 *
 * @param what Names the keys, for example "3 keys of KD-20261123-0001".
 * @param warnings What to know before, for example that a key is already handed over.
 * @param onExport Saves the file; the core checks the typed words again.
 */
export function PlainExportDialog({
  account,
  what,
  warnings,
  onExport,
  onClose,
}: {
  account: ConfirmDialogProps['account']
  what: string
  warnings?: readonly string[]
  onExport: (typed: string) => Promise<void>
  onClose: () => void
}) {
  const [failed, setFailed] = useState<ReturnType<typeof problemOf> | null>(null)
  return (
    <ConfirmDialog
      opened
      destructive
      account={account}
      title="Export keys unencrypted"
      effects={[
        {
          icon: <IconFileExport size={16} stroke={1.6} />,
          what,
          more: 'as plain text. Anyone with the file can use them.',
          tone: 'bad',
        },
        ...(warnings ?? []).map((warning) => ({
          icon: <IconAlertTriangle size={16} stroke={1.6} />,
          what: warning,
          tone: 'warn' as const,
        })),
        {
          icon: <IconListDetails size={16} stroke={1.6} />,
          what: 'Activity lists this export',
        },
      ]}
      typed={{ text: PLAIN_EXPORT_PHRASE, verb: 'save the file', always: true }}
      confirmLabel="Save unencrypted"
      note="Delete the file when you’re done. Deleted files can often be recovered."
      failure={failed === null ? null : <ProblemNotice problem={failed} />}
      onConfirm={async () => {
        try {
          await onExport(PLAIN_EXPORT_PHRASE)
        } catch (error) {
          setFailed(problemOf(error))
          throw error
        }
      }}
      onClose={onClose}
    />
  )
}
