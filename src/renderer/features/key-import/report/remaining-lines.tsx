import { useMutation } from '@tanstack/react-query'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { t } from '../../../../contract/localization/localized.ts'
import type { Import } from '../../../../contract/keys/import-records.ts'
import type { ImportReport } from '../../../../contract/keys/import-reports.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import { usePlainExport } from '../use-plain-export.tsx'
import styles from './report.module.css'

/** The lines that had no offer or were set aside: assign them now, export or discard them. */
export function RemainingLines({
  work: { importId, number },
  remaining: { lines, continuedBy },
}: {
  work: Import
  remaining: ImportReport['remaining']
}) {
  const [, go] = useLocation()
  const [isDiscarding, setDiscarding] = useState(false)
  const assign = useMutation({
    mutationFn: async () => {
      if (!(await openVault())) return
      const draft = await rpc.imports.continueImport({ importId })
      go(`/import/${draft.importId}`)
    },
    onError: (error) => toastProblem(problemOf(error), `Import ${number}`),
  })
  const { ask, dialog } = usePlainExport(
    t('screens.imports-remaining-of', { count: lines, number }),
    (typed) => rpc.imports.exportRemaining({ importId, typed }),
  )
  if (lines === 0) return null
  return (
    <section className={styles.remaining} aria-label="Lines not sent">
      <div>
        <h2>{t('screens.imports-remaining', { count: lines })}</h2>
        <p>
          {continuedBy === null
            ? 'They are encrypted on this computer. Choose their offers, or include lines that were set aside.'
            : continuedBy.isDraft
              ? `They are in the draft of import ${continuedBy.number}.`
              : `They were checked again in import ${continuedBy.number}.`}
        </p>
      </div>
      <div>
        <Button kind="quiet" onClick={() => setDiscarding(true)}>
          Discard…
        </Button>
        <Button onClick={ask}>Export lines…</Button>
        {dialog}
        <Button busy={assign.isPending} onClick={() => assign.mutate()}>
          {continuedBy === null ? 'Assign offers' : `Open import ${continuedBy.number}`}
        </Button>
      </div>
      <DiscardLines
        importId={importId}
        lines={lines}
        opened={isDiscarding}
        onClose={() => setDiscarding(false)}
      />
    </section>
  )
}

function DiscardLines({
  importId,
  lines,
  opened,
  onClose,
}: {
  importId: string
  lines: number
  opened: boolean
  onClose: () => void
}) {
  const account = useAccount()
  const discard = useMutation(api.imports.discardRemaining.mutationOptions())
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      account={account}
      title={`Discard ${t('counts.lines', { count: lines })}?`}
      confirmLabel={`Discard ${t('counts.lines', { count: lines })}`}
      cancelLabel="Keep"
      destructive
      effects={[
        {
          icon: <IconTrash size={16} stroke={1.6} />,
          what: `${t('counts.lines', { count: lines })} are deleted from this computer`,
          more: 'Your original files and the uploaded keys aren’t changed.',
          tone: 'warn',
        },
      ]}
      onConfirm={async () => {
        await discard.mutateAsync({ importId })
      }}
      failure={discard.isError ? <ProblemNotice problem={problemOf(discard.error)} /> : null}
    />
  )
}
