import { t } from '../../../../contract/localization/localized.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconDownload } from '@tabler/icons-react'
import { useLocation } from 'wouter'
import type { Import } from '../../../../contract/keys/import-records.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { formatCount, formatDuration, formatMoment } from '../../../ui/format.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Body, Page, PageHeader } from '../../../ui/layout/page.tsx'
import { Stepper } from '../../../ui/layout/stepper.tsx'
import { FileReport } from './file-report.tsx'
import { UploadLog } from '../upload/upload-log.tsx'
import styles from '../key-import.module.css'
import { OfferProgress } from '../upload/offer-progress.tsx'
import { Issues } from '../issues.tsx'
import { Purchases } from '../purchases.tsx'
import { LineGroups } from './line-groups.tsx'
import { RemainingLines } from './remaining-lines.tsx'
import { ReportTotals } from './report-totals.tsx'
import { UndoImport } from './undo-import.tsx'
import { steps } from '../labels.ts'

/** The last step: accounts for every line read. */
export function ReportStep({ work }: { work: Import }) {
  const [, go] = useLocation()
  const report = useQuery(api.imports.report.queryOptions({ input: { importId: work.importId } }))
  return (
    <Page>
      <PageHeader
        title="Import keys"
        beside={<Stepper steps={steps} current={3} />}
        actions={
          <>
            {report.data?.hasLines === true ? <ExportReport importId={work.importId} /> : null}
            <Button onClick={() => go('/offers')}>View offers</Button>
            <Button kind="primary" onClick={() => go('/import')}>
              Import more
            </Button>
          </>
        }
      />
      <ReportTotals work={work} report={report.data} />
      <Body>
        <div className={styles.padded}>
          <Outcome work={work} />
        </div>
        <div className={styles.upload}>
          <div>
            {report.data === undefined ? null : (
              <>
                <RemainingLines work={work} remaining={report.data.remaining} />
                <UndoImport work={work} undos={report.data.undos} />
              </>
            )}
            <OfferProgress work={work} />
            {report.data === undefined ? null : (
              <>
                <FileReport work={work} report={report.data} />
                {report.data.files.every(({ counts }) => counts !== null) ? (
                  <>
                    <Purchases purchases={work.purchases} isOver />
                    <LineGroups work={work} report={report.data} />
                  </>
                ) : (
                  <Issues work={work} />
                )}
              </>
            )}
          </div>
          <UploadLog work={work} />
        </div>
      </Body>
    </Page>
  )
}

/** Saves every line with its result. */
function ExportReport({ importId }: { importId: string }) {
  const save = useMutation({
    mutationFn: async () => {
      if (!(await openVault())) return
      const { fileName, base64 } = await rpc.imports.exportReport({ importId })
      saveFile(fileName, base64)
    },
    onError: (error) => toastProblem(problemOf(error), null),
  })
  return (
    <Button
      icon={<IconDownload size={16} stroke={1.6} />}
      busy={save.isPending}
      onClick={() => save.mutate()}
    >
      Export report
    </Button>
  )
}

function Outcome({ work }: { work: Import }) {
  const added = work.offers.reduce((sum, offer) => sum + offer.added, 0)
  const duplicates = work.offers.reduce((sum, offer) => sum + offer.duplicates, 0)
  const notTaken = work.offers.reduce((sum, offer) => sum + offer.refused + offer.excluded, 0)
  const took =
    work.startedAt === null || work.endedAt === null
      ? ''
      : ` It took ${formatDuration(work.endedAt - work.startedAt)}, finished ${formatMoment(work.endedAt, Date.now())}.`
  if (work.state === 'cancelled') {
    const { keys, keysSettled, keysInDoubt } = work.upload
    const unsent = keys - keysSettled - keysInDoubt
    return (
      <Notice tone="warn" title={`Canceled after ${t('counts.keys', { count: keysSettled })}.`}>
        {formatCount(added)} were added.{' '}
        {keysInDoubt === 0 ? '' : `${t('imports.keys-in-doubt', { count: keysInDoubt })}. `}
        {unsent === 0 ? '' : t('screens.imports-not-sent', { count: unsent })}
      </Notice>
    )
  }
  return (
    <Notice
      tone={notTaken === 0 ? 'ok' : 'warn'}
      title={`${t('counts.keys', { count: work.upload.keysSettled - notTaken })} uploaded.`}
    >
      {formatCount(added)} added
      {duplicates === 0 ? '' : `, ${formatCount(duplicates)} already on the service`}.
      {notTaken === 0
        ? ''
        : ` Rejected or excluded: ${t('counts.keys', { count: notTaken })}, which you can export below.`}
      {took} Uploaded keys aren’t stored on this computer, only their fingerprints.
    </Notice>
  )
}
