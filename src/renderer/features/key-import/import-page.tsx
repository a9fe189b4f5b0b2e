import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Body, Page, PageHeader } from '../../ui/layout/page.tsx'
import { CheckStep } from './check/check-step.tsx'
import { ReportStep } from './report/report-step.tsx'
import { StartStep } from './start/start-step.tsx'
import { UploadStep } from './upload/upload-step.tsx'
import { stepOf } from './labels.ts'

/** Bulk key import: choose files, check every line, upload, and account for every line. */
export function ImportPage({ importId = null }: { importId?: string | null }) {
  const [search] = useSearchParams()
  if (importId === null) return <StartStep offerId={search.get('offer')} />
  return <OneImport key={importId} importId={importId} />
}

function OneImport({ importId }: { importId: string }) {
  const work = useQuery(api.imports.get.queryOptions({ input: { importId } }))
  if (work.data === undefined) {
    return (
      <Page>
        <PageHeader title="Import keys" />
        <Body padded>
          {work.isError ? (
            <ErrorState problem={problemOf(work.error)} onRetry={() => void work.refetch()} />
          ) : null}
        </Body>
      </Page>
    )
  }
  const step = stepOf(work.data.state, work.data.files.length)
  if (step === 3) return <ReportStep work={work.data} />
  if (step === 2) return <UploadStep work={work.data} />
  return <CheckStep work={work.data} />
}
