import { t } from '../../../../contract/localization/localized.ts'
import { useMutation } from '@tanstack/react-query'
import { IconPlayerPause, IconPlayerPlay, IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { Import } from '../../../../contract/keys/import-records.ts'
import { isVaultCode } from '../../../../contract/problem-codes.ts'
import { useServiceConnection } from '../../../lib/account/service-connection.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { ProblemCodes } from '../../../ui/feedback/error-state.tsx'
import { formatCount, formatTimeLeft } from '../../../ui/format.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Body, Footer, Page, PageHeader } from '../../../ui/layout/page.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { Stepper } from '../../../ui/layout/stepper.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import { UploadGrid, UploadLegend } from '../../../ui/charts/upload-grid.tsx'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import { cancelEffects } from './cancel-effects.tsx'
import { InDoubt } from './in-doubt.tsx'
import { UploadLog } from './upload-log.tsx'
import shared from '../key-import.module.css'
import styles from './upload.module.css'
import { NotUploaded } from './not-uploaded.tsx'
import { OfferProgress } from './offer-progress.tsx'
import { Pace } from './pace.tsx'
import { steps } from '../labels.ts'

/** The third step: sent, settled and waiting keys. The upload continues without this page. */
export function UploadStep({ work }: { work: Import }) {
  const account = useAccount()
  const limited = useServiceConnection(account)?.budget.limit !== null
  const [cancelling, setCancelling] = useState(false)
  const { importId, state, upload } = work
  const tell = {
    onError: (error: unknown) => toastProblem(problemOf(error), `Import ${work.number}`),
  }
  const pause = useMutation(api.imports.pause.mutationOptions(tell))
  const resume = useMutation(api.imports.resume.mutationOptions(tell))
  const isRunning = state === 'uploading' || state === 'waiting'
  const busy = pause.isPending || resume.isPending
  const resumeUpload = (): void => {
    void openVault().then(
      (opened) => {
        if (opened) resume.mutate({ importId })
      },
      (error: unknown) => toastProblem(problemOf(error), null),
    )
  }
  const toggle = (): void => {
    if (busy) return
    if (isRunning) pause.mutate({ importId })
    else resumeUpload()
  }
  useShortcut(' ', toggle)
  return (
    <Page>
      <PageHeader
        title="Import keys"
        beside={<Stepper steps={steps} current={2} />}
        actions={
          <>
            <Button kind="quiet" onClick={() => setCancelling(true)}>
              Cancel…
            </Button>
            <Button
              keys={['Space']}
              busy={busy}
              icon={
                isRunning ? (
                  <IconPlayerPause size={16} stroke={1.6} />
                ) : (
                  <IconPlayerPlay size={16} stroke={1.6} />
                )
              }
              onClick={toggle}
            >
              {isRunning ? 'Pause' : 'Resume'}
            </Button>
          </>
        }
      />
      <UploadProgress state={state} upload={upload} />
      <Body>
        <Trouble work={work} onVault={resumeUpload} />
        <div className={shared.upload}>
          <div>
            <OfferProgress work={work} />
            <NotUploaded work={work} />
          </div>
          <div>
            <Pace pace={upload.pace} limited={limited} />
            <UploadLog work={work} />
          </div>
        </div>
      </Body>
      <Footer actions={<span className={shared.grey}>You can keep working in the meantime.</span>}>
        <IconShieldCheck size={16} stroke={1.6} aria-hidden /> <b>Safe to close.</b> The upload
        resumes where it stopped, and no key is sent twice.
      </Footer>
      <CancelDialog
        opened={cancelling}
        importId={importId}
        state={work.state}
        upload={upload}
        onClose={() => setCancelling(false)}
      />
    </Page>
  )
}

/** How much of the upload is settled, with its rate and one square per request. */
function UploadProgress({ state, upload }: Pick<Import, 'state' | 'upload'>) {
  const percent = upload.keys === 0 ? 0 : Math.floor((upload.keysSettled / upload.keys) * 100)
  return (
    <div className={styles.progress}>
      <div className={styles.percent}>
        <b>{percent} %</b>
        <span>
          {formatCount(upload.keysSettled)} of {t('counts.keys', { count: upload.keys })} settled
        </span>
      </div>
      <dl className={styles.rates}>
        <div>
          <dt>Time left</dt>
          <dd>
            {state === 'paused'
              ? 'paused'
              : upload.leftMs === null
                ? '–'
                : formatTimeLeft(upload.leftMs)}
          </dd>
        </div>
        <div>
          <dt>Rate</dt>
          <dd>
            {formatCount(Math.round(upload.keysPerSecond))} <span>keys per second</span>
          </dd>
        </div>
        <div>
          <dt>Requests</dt>
          <dd>
            {formatCount(upload.requestsSettled)} <span>of {formatCount(upload.requests)}</span>
          </dd>
        </div>
      </dl>
      <UploadGrid squares={upload.squares} />
      <UploadLegend
        requestsPerSquare={upload.requestsPerSquare}
        refused={upload.squares.includes('x')}
      />
    </div>
  )
}

function CancelDialog({
  opened,
  importId,
  state,
  upload,
  onClose,
}: Pick<Import, 'importId' | 'state' | 'upload'> & { opened: boolean; onClose: () => void }) {
  const account = useAccount()
  const cancel = useMutation(api.imports.cancel.mutationOptions())
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      account={account}
      title="Cancel this import?"
      follows
      confirmLabel="Cancel import"
      cancelLabel="Keep importing"
      destructive
      effects={cancelEffects(state, upload)}
      onConfirm={async () => {
        await cancel.mutateAsync({ importId })
      }}
      failure={cancel.isError ? <ProblemNotice problem={problemOf(cancel.error)} /> : null}
    />
  )
}

function Trouble({ work, onVault }: { work: Import; onVault: () => void }) {
  const { state, problem } = work
  if (state === 'paused')
    return (
      <div className={shared.padded}>
        <Notice tone="info" title="You paused this upload.">
          Nothing is being sent. Waiting keys stay encrypted on this computer.
        </Notice>
      </div>
    )
  if (problem === null) return null
  if (state === 'stopped' && problem.code === 'UPLOAD_UNCLEAR') return <InDoubt work={work} />
  return (
    <div className={shared.padded}>
      <Notice
        tone={state === 'waiting' ? 'warn' : 'bad'}
        title={problem.what}
        action={
          isVaultCode(problem.code) ? (
            <Button kind="primary" onClick={onVault}>
              Unlock the vault…
            </Button>
          ) : undefined
        }
      >
        {problem.effect === null ? '' : `${problem.effect} `}
        {problem.next}
        {isVaultCode(problem.code) ? null : <ProblemCodes problem={problem} />}
      </Notice>
    </div>
  )
}
