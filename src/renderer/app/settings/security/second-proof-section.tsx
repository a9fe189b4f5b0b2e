import { IconCheck } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { provenActions } from '../../../../contract/base.ts'
import type { SecondProofState } from '../../../../contract/app/second-proof.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { purposeOf } from '../../../lib/proof-gate.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { StatusTag } from '../../../ui/data-display/status-tag.tsx'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { formatDay } from '../../../ui/format.ts'
import { SecretDialog } from '../secrets/secret-dialog.tsx'
import { SettingRow } from '../setting-row.tsx'
import styles from './security.module.css'
import settings from '../settings.module.css'

/** The second proof: what it is, and what it is required for. */
export function SecondProofSection({ proof }: { proof: SecondProofState }) {
  const [asked, setAsked] = useState<'set' | 'remove' | null>(null)
  const client = useQueryClient()
  const close = (): void => {
    setAsked(null)
    void client.invalidateQueries()
  }
  return (
    <section>
      <h2>Confirm with a second proof</h2>
      <p className={settings.text}>
        Asked for before keys leave Keydesk or their protection changes.
      </p>
      {proof.method === 'none' ? (
        <div className={settings.notice}>
          <NoProof canSet={proof.canSet} />
        </div>
      ) : null}
      {proof.method === 'vault-passphrase' ? (
        <SettingRow name="Passphrase of the vault" text="Change it under “Where your secrets are”.">
          <StatusTag tone="ok">On</StatusTag>
        </SettingRow>
      ) : (
        <SettingRow
          name="Security passphrase"
          text={
            proof.setAt === null
              ? 'Works offline. It opens no data: it proves that it’s you.'
              : `Set on ${formatDay(proof.setAt)}`
          }
        >
          <div className={settings.buttons}>
            <span className={styles.state}>
              <StatusTag tone={proof.setAt === null ? 'neutral' : 'ok'}>
                {proof.setAt === null ? 'Not set up' : 'On'}
              </StatusTag>
            </span>
            {proof.setAt === null ? null : (
              <Button onClick={() => setAsked('remove')}>Remove…</Button>
            )}
            {proof.canSet ? (
              <Button onClick={() => setAsked('set')}>
                {proof.setAt === null ? 'Set up…' : 'Change…'}
              </Button>
            ) : null}
          </div>
        </SettingRow>
      )}
      <div className={styles.required}>
        <span>Required to</span>
        <ul>
          {provenActions.map((action) => (
            <li key={action} data-on={proof.method === 'none' ? undefined : true}>
              {proof.method === 'none' ? null : <IconCheck size={12} stroke={2} aria-hidden />}
              {purposeOf(action)}
            </li>
          ))}
        </ul>
      </div>
      {asked === 'set' ? <SetDialog isFirst={proof.setAt === null} onClose={close} /> : null}
      {asked === 'remove' ? <RemoveDialog onClose={close} /> : null}
    </section>
  )
}

function NoProof({ canSet }: { canSet: boolean }) {
  return (
    <Notice
      tone="warn"
      title="No second proof is set up."
      action={
        canSet ? undefined : (
          <Button
            onClick={() =>
              void openVault().catch((error: unknown) => toastProblem(problemOf(error), null))
            }
          >
            Choose a passphrase…
          </Button>
        )
      }
    >
      Anyone who uses this session can export keys, change what protects them and redirect
      connections. {canSet ? '' : 'The passphrase of the vault is also the second proof.'}
    </Notice>
  )
}

function SetDialog({ isFirst, onClose }: { isFirst: boolean; onClose: () => void }) {
  return (
    <SecretDialog
      title={isFirst ? 'Set up a security passphrase' : 'Change the security passphrase'}
      lead={
        'Keydesk asks for it before keys are exported, their protection changes or connections are ' +
        'redirected. The keychain still unlocks the vault.'
      }
      ask={{ chosen: 'Security passphrase' }}
      confirmLabel={isFirst ? 'Use this passphrase' : 'Change passphrase'}
      onClose={onClose}
      onConfirm={async ({ chosen }) => {
        await rpc.secondProof.setPassphrase({ passphrase: chosen })
        toast({ title: isFirst ? 'Second proof is on' : 'Security passphrase changed' })
      }}
    >
      <Notice tone="info" title="Make a recovery copy of the vault first.">
        If you lose this passphrase, unlocking the vault with its recovery copy removes it.
      </Notice>
    </SecretDialog>
  )
}

function RemoveDialog({ onClose }: { onClose: () => void }) {
  const [failed, setFailed] = useState<ReturnType<typeof problemOf> | null>(null)
  return (
    <ConfirmDialog
      opened
      account={null}
      title="Remove the second proof?"
      confirmLabel="Remove it"
      destructive
      effects={[
        {
          icon: null,
          what: 'Anyone who uses this session can export keys and change what protects them.',
          more: 'Activity and a notification record the removal.',
          tone: 'warn',
        },
      ]}
      failure={failed === null ? null : <ProblemNotice problem={failed} />}
      onClose={onClose}
      onConfirm={async () => {
        try {
          await rpc.secondProof.removePassphrase()
          toast({ title: 'Second proof removed' })
        } catch (error) {
          setFailed(problemOf(error))
          throw error
        }
      }}
    />
  )
}
