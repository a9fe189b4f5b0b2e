import { t } from '../../../../contract/localization/localized.ts'
import { useMutation } from '@tanstack/react-query'
import { IconLock } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { Import } from '../../../../contract/keys/import-records.ts'
import { useServiceConnection } from '../../../lib/account/service-connection.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { movesOfRecords } from '../../../ui/feedback/moves.ts'
import { MovesNotice } from '../../../ui/feedback/moves-notice.tsx'
import { formatTimeLeft } from '../../../ui/format.ts'
import { Footer, Page, PageHeader } from '../../../ui/layout/page.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { Stepper } from '../../../ui/layout/stepper.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import { FileDetail } from './file-detail.tsx'
import { FileList } from './file-list.tsx'
import shared from '../key-import.module.css'
import styles from './check.module.css'
import { Issues } from '../issues.tsx'
import { isSending, sendFiles } from '../start/send-files.ts'
import { LineTotals } from '../line-totals.tsx'
import { steps } from '../labels.ts'
import { totalTexts, useSeenTotals } from './use-seen-totals.ts'
import { rateLimits } from '../../../../../server/api/limits.ts'

/** Upload requests the service accepts per minute (Seller API, Limits). */
const UPLOADS_A_MINUTE = rateLimits.uploads.max
const atLeast = (requests: number): string =>
  requests <= UPLOADS_A_MINUTE
    ? ''
    : `, at least ${formatTimeLeft(((requests - UPLOADS_A_MINUTE) / UPLOADS_A_MINUTE) * 60_000)}`

const planOf = (requests: number, limited: boolean, noOffer: number): string =>
  `${t('counts.requests', { count: requests })}${limited ? atLeast(requests) : ''}.` +
  (noOffer === 0 ? '' : ` ${t('counts.lines', { count: noOffer })} won’t be sent.`)

/**
 * The second step: every line is classified and nothing is sent yet. The user can correct the
 * detected settings.
 */
export function CheckStep({ work }: { work: Import }) {
  const [, go] = useLocation()
  const limited = useServiceConnection(useAccount())?.budget.limit !== null
  const [chosen, setChosen] = useState<string | null>(null)
  const { importId } = work
  const tell = {
    onError: (error: unknown) => toastProblem(problemOf(error), `Import ${work.number}`),
  }
  const upload = useMutation(api.imports.upload.mutationOptions(tell))
  const discard = useMutation(
    api.imports.discard.mutationOptions({ ...tell, onSuccess: () => go('/import') }),
  )
  const add = useMutation({
    mutationFn: async (files: File[]) => {
      if (await openVault()) await sendFiles(importId, files, null, toastProblem)
    },
    ...tell,
  })
  const { mutate: recheck } = useMutation(api.imports.recheck.mutationOptions())
  // Other imports may have uploaded keys of this draft since it was checked.
  useEffect(() => recheck({ importId }), [importId, recheck])
  const isChecking = work.files.some(
    (file) => file.state === 'receiving' || file.state === 'checking',
  )
  const isHalf = work.files.some((file) => file.state === 'receiving' && !isSending(file.fileId))
  const { shown, moved, accept } = useSeenTotals(work)
  const totals = shown ?? work.sums
  const { ready, noOffer } = totals
  const canUpload = ready > 0 && moved === null && !isChecking && !upload.isPending
  const submit = (): void => {
    if (!canUpload) return
    void openVault().then(
      (opened) => {
        if (opened) upload.mutate({ importId, ready })
      },
      (error: unknown) => toastProblem(problemOf(error), null),
    )
  }
  useShortcut('Ctrl+Enter', submit)
  const file = work.files.find((each) => each.fileId === chosen) ?? work.files[0]
  return (
    <Page>
      <PageHeader
        title="Import keys"
        beside={<Stepper steps={steps} current={1} />}
        actions={
          <Button
            kind="quiet"
            busy={discard.isPending}
            onClick={() => discard.mutate({ importId })}
          >
            Discard
          </Button>
        }
      />
      <LineTotals work={work} />
      {moved === null ? null : (
        <div className={shared.padded}>
          <MovesNotice
            moves={movesOfRecords(totalTexts(totals), totalTexts(moved))}
            onAccept={accept}
          >
            Another import may have uploaded these keys, or offers changed.
          </MovesNotice>
        </div>
      )}
      <div className={styles.columns}>
        <FileList
          files={work.files}
          chosen={file?.fileId ?? null}
          onChoose={setChosen}
          onFiles={(files) => add.mutate(files)}
        />
        {file === undefined ? (
          <div className={styles.middle} />
        ) : (
          <FileDetail
            key={file.fileId}
            importId={importId}
            accountId={work.accountId}
            file={file}
            isSent={isSending(file.fileId)}
          />
        )}
        <Issues work={work} />
      </div>
      <Footer
        actions={
          <>
            <span className={styles.plan}>
              {isHalf
                ? 'A file is incomplete.'
                : isChecking
                  ? 'Checking…'
                  : ready === 0
                    ? 'No lines are ready.'
                    : planOf(totals.requests, limited, noOffer)}
            </span>
            <Button
              kind="primary"
              size="md"
              busy={upload.isPending}
              disabled={!canUpload && !upload.isPending}
              {...(canUpload && { keys: ['Ctrl', 'Enter'] })}
              onClick={submit}
            >
              Upload {t('counts.keys', { count: ready })}
            </Button>
          </>
        }
      >
        <IconLock size={16} stroke={1.6} aria-hidden /> Keys are stored encrypted on this computer
        and deleted once the service has them.
      </Footer>
    </Page>
  )
}
