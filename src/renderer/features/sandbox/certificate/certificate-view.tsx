import { IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { t } from '../../../../contract/localization/localized.ts'
import type { SandboxCertificate } from '../../../../contract/sandbox/sandbox-certificate.ts'
import { copySecret } from '../../../lib/clipboard.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { ProgressBar } from '../../../ui/feedback/progress-ring.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { CertificateForm } from './certificate-form.tsx'
import { CertificateReport } from './certificate-report.tsx'
import styles from './certificate.module.css'
import { isActive, useCertificate } from './use-certificate.ts'

/** Certifies a webhook handler on this computer. The certificate runs on when the page is left. */
export function CertificateView({ header }: { header: ReactNode }) {
  const { query, start, cancel } = useCertificate()
  const certificate = query.data
  if (certificate === undefined)
    return (
      <Page>
        {header}
        {query.isError ? (
          <ErrorState problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
        ) : null}
      </Page>
    )
  return (
    <Page>
      {header}
      <div className={styles.page}>
        <CertificateForm
          last={certificate}
          isActive={isActive(certificate)}
          start={start}
          cancel={cancel}
        />
        <Standing certificate={certificate} />
        {certificate.result === null ? null : (
          <CertificateReport
            certificate={certificate}
            result={certificate.result}
            onReplay={(replay) =>
              start.mutate({
                url: certificate.url ?? '',
                probe: certificate.probe ?? '',
                ...(certificate.seed === null ? {} : { seed: certificate.seed }),
                replay,
              })
            }
          />
        )}
      </div>
    </Page>
  )
}

/** Its state until there is a result. */
function Standing({ certificate }: { certificate: SandboxCertificate }) {
  const { state, url, reason, hasVariables } = certificate
  switch (state) {
    case 'none':
      return <NotRun />
    case 'waiting':
      return <Waiting host={hostOf(url)} hasVariables={hasVariables} />
    case 'running':
    case 'shrinking':
      return <Running certificate={certificate} />
    case 'canceled':
      return (
        <div className={styles.notice}>
          <Notice tone="info" title="The certificate was canceled.">
            There is no result. Your handler can keep running, with the same variables.
          </Notice>
        </div>
      )
    case 'failed':
      return (
        <div className={styles.notice}>
          <Notice
            tone="bad"
            title="The certificate couldn’t run."
            action={hasVariables ? <CopyVariables /> : null}
          >
            {reason} Start your handler with the variables, then run it again.
          </Notice>
        </div>
      )
    case 'finished':
      return null
  }
}

const hostOf = (url: string | null): string =>
  url !== null && URL.canParse(url) ? new URL(url).host : ''

function NotRun() {
  return (
    <EmptyState
      title="Does your handler hand on every unit once?"
      text={
        'The certificate sends hostile schedules of real deliveries to your webhook handler: ' +
        'repeated, delayed, cut, forged, stale and out of order. ' +
        'Then it checks the units that the handler handed on.'
      }
      steps={[
        {
          title: 'Report your state',
          text: 'In a test build, your handler answers at one address with the units that it handed on.',
        },
        {
          title: 'Run the certificate',
          text: 'Keydesk gives you the address, key and secret to start your handler with.',
        },
        {
          title: 'Fix what it finds',
          text: 'Each failure is shrunk to the few steps that cause it, with the seed to repeat it.',
        },
      ]}
    />
  )
}

async function copyVariables(): Promise<void> {
  try {
    const { value } = await rpc.sandbox.certificate.variables()
    await copySecret('Variables copied', value)
  } catch (error) {
    toastProblem(problemOf(error), 'Variables')
  }
}

const CopyVariables = () => (
  <Button icon={<IconCopy size={16} stroke={1.6} />} onClick={() => void copyVariables()}>
    Copy variables
  </Button>
)

function Waiting({ host, hasVariables }: { host: string; hasVariables: boolean }) {
  return (
    <div className={styles.waiting}>
      <Notice
        tone="warn"
        title={`Waiting for your handler at ${host}.`}
        action={hasVariables ? <CopyVariables /> : null}
      >
        Start it with these environment variables and an empty database. The certificate begins as
        soon as it accepts connections, and waits for 5 minutes.
      </Notice>
      <dl className={styles.variables}>
        <div>
          <dt>KEYDESK_BASE_URL</dt>
          <dd>the partner API of a service for this certificate</dd>
        </div>
        <div>
          <dt>KEYDESK_API_KEY</dt>
          <dd>svc_live_••••••••</dd>
        </div>
        <div>
          <dt>KEYDESK_WEBHOOK_SECRET</dt>
          <dd>whsec_••••••••</dd>
        </div>
      </dl>
      <p className={styles.note}>
        They stay the same until the sandbox stops, so your handler can keep running between
        certificates.
      </p>
    </div>
  )
}

function Running({
  certificate: { state, done, failed, schedules },
}: {
  certificate: SandboxCertificate
}) {
  return (
    <div className={styles.running} role="status">
      <p>
        {state === 'shrinking'
          ? 'Finding the smallest failing schedules'
          : t('screens.sandbox-certificate-progress', { done, count: schedules, failed })}
      </p>
      <ProgressBar
        share={schedules === 0 ? 0 : done / schedules}
        label="Schedules"
        tone={failed > 0 ? 'warn' : 'accent'}
      />
      <p className={styles.note}>It continues when you leave this page. The status bar shows it.</p>
    </div>
  )
}
