import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { problemOf } from '../../../lib/core/problem.ts'
import { restartKeydesk } from '../../../lib/core/restart.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { formatBytes, formatCount, formatFullMoment } from '../../../ui/format.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { ProgressBar } from '../../../ui/feedback/progress-ring.tsx'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { saveBackup } from './backup-files.ts'
import { DiagnosticsDialog } from './diagnostics-dialog.tsx'
import { RestoreFlow } from './restore-flow.tsx'
import { SecretDialog } from '../secrets/secret-dialog.tsx'
import styles from '../settings.module.css'

type Shown =
  | { what: 'make' }
  | { what: 'restore' }
  | { what: 'delete'; name: string; bytes: number }
  | { what: 'diagnostics' }
  | null

/**
 * Makes an encrypted backup of the data folder, restores one, and creates a diagnostics bundle for
 * bug reports.
 */
export function BackupSection({
  dataFolder,
  inKeychain,
}: {
  dataFolder: string
  inKeychain: boolean
}) {
  const client = useQueryClient()
  const state = useQuery(api.backup.state.queryOptions()).data
  const [shown, setShown] = useState<Shown>(null)
  const [share, setShare] = useState<number | null>(null)
  const again = (): Promise<void> => client.invalidateQueries({ queryKey: api.backup.key() })
  const close = (): void => {
    setShown(null)
    setShare(null)
    void again()
  }
  const earlier = [
    ...(state?.replaced ?? []).map((each) => ({
      ...each,
      title: `Replaced on ${formatFullMoment(each.at)}`,
    })),
    ...(state?.beforeUpdates ?? []).map((each) => ({
      ...each,
      title: `From before the update to ${each.version} on ${formatFullMoment(each.at)}`,
    })),
  ]
  return (
    <section>
      <h2>Backup</h2>
      {state?.waiting == null ? null : (
        <PendingRestore madeAt={state.waiting.madeAt} onChange={again} />
      )}
      <div className={styles.row}>
        <div>
          <b>Back up everything</b>
          <p>
            The complete data folder as one file, encrypted with a passphrase (scrypt, AES-256-GCM).
            You can keep working.{' '}
            {inKeychain
              ? 'API keys and the vault’s key aren’t included: they’re in the keychain.'
              : 'API keys aren’t included.'}
          </p>
        </div>
        <Button onClick={() => setShown({ what: 'make' })}>Back up…</Button>
      </div>
      <div className={styles.row}>
        <div>
          <b>Restore a backup</b>
          <p>Keydesk checks the backup first and keeps your current data in a separate folder.</p>
        </div>
        <Button onClick={() => setShown({ what: 'restore' })}>Restore…</Button>
      </div>
      {earlier.map(({ name, title, bytes }) => (
        <div key={name} className={styles.row}>
          <div>
            <b>{title}</b>
            <p>
              <span className="kd-mono">
                {dataFolder}/{name}
              </span>
              , {formatBytes(bytes)}
            </p>
          </div>
          <Button kind="danger" onClick={() => setShown({ what: 'delete', name, bytes })}>
            Delete…
          </Button>
        </div>
      ))}
      <div className={styles.row}>
        <div>
          <b>Diagnostics</b>
          <p>
            Versions, settings, activity and log for a bug report. Secrets are masked and accounts
            are numbered. You can review everything before you save it.
          </p>
        </div>
        <Button onClick={() => setShown({ what: 'diagnostics' })}>Review…</Button>
      </div>
      {shown?.what === 'make' ? (
        <MakeDialog share={share} onShare={setShare} inKeychain={inKeychain} onClose={close} />
      ) : null}
      {shown?.what === 'restore' ? <RestoreFlow onClose={close} /> : null}
      {shown?.what === 'delete' ? (
        <DeleteDialog name={shown.name} bytes={shown.bytes} onClose={close} />
      ) : null}
      {shown?.what === 'diagnostics' ? <DiagnosticsDialog onClose={close} /> : null}
    </section>
  )
}

/** A checked backup that replaces the data at the next start. */
function PendingRestore({ madeAt, onChange }: { madeAt: number; onChange: () => Promise<void> }) {
  const cancel = useMutation({
    mutationFn: () => rpc.backup.cancel(),
    onSuccess: () => {
      toast({ title: 'Restore canceled', text: 'Your data stays as it is.' })
    },
    onError: (error) => {
      toastProblem(problemOf(error), null)
    },
    onSettled: onChange,
  })
  return (
    <Notice
      tone="warn"
      title={`The backup from ${formatFullMoment(madeAt)} replaces this data at the next start.`}
      action={
        <>
          <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel restore
          </Button>
          <Button
            onClick={() =>
              void restartKeydesk().catch((error: unknown) => toastProblem(problemOf(error), null))
            }
          >
            Restart now
          </Button>
        </>
      }
    >
      Nothing is replaced until then. Changes you make before the restart stay in the replaced data,
      which is saved.
    </Notice>
  )
}

function MakeDialog({
  share,
  onShare,
  inKeychain,
  onClose,
}: {
  share: number | null
  onShare: (share: number) => void
  inKeychain: boolean
  onClose: () => void
}) {
  return (
    <SecretDialog
      title="Back up everything"
      lead="Accounts, offers, sales, imports, saved keys, drafts, settings and the sandbox in one file."
      ask={{ chosen: 'Passphrase of the backup' }}
      confirmLabel="Save the backup"
      onClose={onClose}
      onConfirm={async ({ chosen }) => {
        const { fileName, bytes } = await saveBackup(chosen, onShare)
        toast({
          title: 'Backup downloaded',
          text: `${fileName}, ${formatBytes(bytes)}`,
        })
      }}
    >
      {share === null ? null : <ProgressBar share={share} label="Reading the backup" />}
      <Notice tone="warn" title="The backup can’t be recovered without its passphrase.">
        API keys aren’t included.{' '}
        {inKeychain
          ? 'The vault’s key is in the keychain. To read saved keys on another computer, ' +
            'also make a recovery copy of the vault.'
          : 'The vault still unlocks with its own passphrase.'}
      </Notice>
    </SecretDialog>
  )
}

function DeleteDialog({
  name,
  bytes,
  onClose,
}: {
  name: string
  bytes: number
  onClose: () => void
}) {
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      account={null}
      title="Delete earlier data"
      confirmLabel={`Delete ${formatBytes(bytes)}`}
      destructive
      effects={[
        {
          icon: null,
          what: 'This copy of earlier data is deleted permanently.',
          more: `${formatCount(bytes)} bytes. Your current data stays.`,
        },
      ]}
      onConfirm={async () => {
        await rpc.backup.deleteReplaced({ name })
        toast({ title: 'Deleted' })
      }}
    />
  )
}
