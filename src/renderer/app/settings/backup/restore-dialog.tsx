import { t } from '../../../../contract/localization/localized.ts'
import {
  IconDatabaseImport,
  IconFolder,
  IconKey,
  IconServer,
  IconShieldLock,
} from '@tabler/icons-react'
import type { BackupSummary } from '../../../../contract/app/backup.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { formatBytes, formatFullMoment } from '../../../ui/format.ts'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'

const icon = { size: 16, stroke: 1.6 }

/** The network settings in a backup, which aren't used until a person adopts them. */
function networkEffects({ network }: BackupSummary) {
  if (network === null) return []
  const proxy =
    network.proxy === null
      ? []
      : [network.proxy.use === 'own' ? `Proxy ${network.proxy.address}` : 'No proxy']
  const authorities = network.authorities.map(({ name }) => `Authority “${name}”`)
  return [
    {
      icon: <IconShieldLock {...icon} />,
      what: [...proxy, ...authorities].join(', '),
      more: 'Not used after the restore until you adopt it in Settings, Network.',
    },
  ]
}

/** The contents of a checked backup and the effects of restoring it. */
export function RestoreDialog({
  restoreId,
  summary,
  reopen,
  onClose,
}: {
  restoreId: string
  summary: BackupSummary
  reopen: () => Promise<void>
  onClose: () => void
}) {
  const names = summary.accounts.map(({ name }) => name).join(', ')
  const contents = [
    `Made by Keydesk ${summary.version}: ${t('counts.files', { count: summary.files })}`,
    formatBytes(summary.bytes),
    names === '' ? 'no accounts' : names,
  ].join(', ')
  return (
    <ConfirmDialog
      opened
      account={null}
      title={`Restore the backup from ${formatFullMoment(summary.madeAt)}`}
      destructive
      confirmLabel="Restore and restart"
      onClose={() => {
        void rpc.backup
          .state()
          .then(({ waiting }) => (waiting === null ? rpc.backup.cancel() : undefined))
          .finally(onClose)
      }}
      lead={`${contents}. The backup is intact.`}
      effects={[
        ...summary.accounts.map(({ name, baseUrl, addressBefore }) => ({
          icon: <IconServer {...icon} />,
          what:
            addressBefore === null
              ? `${name}: ${baseUrl}`
              : `${name}: ${addressBefore} → ${baseUrl}`,
          more:
            addressBefore === null
              ? 'The address of the account’s service.'
              : 'The backup changes this address. No key is sent until you confirm it.',
        })),
        ...networkEffects(summary),
        {
          icon: <IconDatabaseImport {...icon} />,
          what: 'Keydesk restarts with the backup’s data instead of your current data.',
          more: 'Running jobs are saved first.',
        },
        {
          icon: <IconFolder {...icon} />,
          what: 'Your current data moves to a separate folder.',
          more: 'Nothing is deleted.',
        },
        {
          icon: <IconKey {...icon} />,
          what: 'API keys come from this computer’s keychain.',
          more:
            'If a key is missing there, its account asks for it again. A vault whose key was in ' +
            'another computer’s keychain unlocks with its recovery copy.',
        },
      ]}
      onConfirm={async () => {
        await rpc.backup.restore({ restoreId })
        // The restart follows. If it fails, the backup is restored at the next start, and the page
        // says so.
        await reopen().catch((error: unknown) => toastProblem(problemOf(error), null))
      }}
    />
  )
}
