import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconPlayerPlay, IconTerminal2 } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { t } from '../../../../contract/localization/localized.ts'
import type { SandboxWhy } from '../../../../contract/sandbox/sandbox-control.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Mark } from '../../../ui/data-display/identity/mark.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { ProgressRing } from '../../../ui/feedback/progress-ring.tsx'
import { toast } from '../../../ui/feedback/toasts.tsx'
import { formatClockSeconds, formatCount } from '../../../ui/format.ts'
import { PanelSection, SidePanel } from '../../../ui/layout/page.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { DocsLink } from '../docs-link.tsx'
import { useSandboxAction } from '../use-sandbox-action.ts'
import styles from './why.module.css'
import { suggestionCommands } from './curl.ts'

/** The address of the latest rejected request, whose id isn't known yet. */
const latestRejected = 'latest'

/** Why a request of the log was rejected, and the nearest request that passes. */
export function WhyPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const why = useQuery({
    ...api.sandbox.control.explain.queryOptions({
      input: { id: id === latestRejected ? null : id },
    }),
    retry: false,
  })
  const found = why.data ?? null
  usePinned(id, found)
  return (
    <SidePanel
      title="Why it was rejected"
      detail={
        found === null
          ? undefined
          : `${found.method} ${found.path}, ${formatClockSeconds(found.at)}`
      }
      width={460}
      onClose={onClose}
    >
      {why.isError && problemOf(why.error).code === 'NOT_FOUND' ? (
        <p className={styles.loading}>
          The log no longer has this request. It holds the last thousand until the sandbox stops.
          Send the request again to explain it.
        </p>
      ) : why.isError ? (
        <ErrorState problem={problemOf(why.error)} onRetry={() => void why.refetch()} />
      ) : why.isPending ? (
        <p className={styles.loading} role="status">
          <ProgressRing label="Loading" />
          Trying changed requests on a copy of the sandbox
        </p>
      ) : found === null ? (
        <p className={styles.loading}>No request of another program was rejected yet.</p>
      ) : (
        <Explanation why={found} />
      )}
    </SidePanel>
  )
}

/** Replaces the address of the latest request by its own, so that a newer one doesn't replace it. */
function usePinned(id: string, found: SandboxWhy | null): void {
  const client = useQueryClient()
  const [, go] = useLocation()
  useEffect(() => {
    if (id !== latestRejected || found === null) return
    const { requestId } = found
    const { queryKey } = api.sandbox.control.explain.queryOptions({ input: { id: requestId } })
    client.setQueryData(queryKey, found)
    go(`/sandbox/requests/${encodeURIComponent(requestId)}`, { replace: true })
  }, [client, found, go, id])
}

function Explanation({ why }: { why: SandboxWhy }) {
  const reached = why.checks.filter(({ result }) => result === 'passed' || result === 'failed')
  const failed = reached.filter(({ result }) => result === 'failed').length
  const missed = why.checks.filter((check) => !reached.includes(check)).map(({ title }) => title)
  return (
    <>
      <PanelSection>
        <p className={styles.verdict}>
          <Mark kind="bad" size={16} />
          <span>
            <b>{why.message}</b>
            <code>
              {why.status} {why.code}
            </code>
          </span>
        </p>
      </PanelSection>
      <PanelSection
        title="Checks, in order"
        aside={t('screens.sandbox-why-checks', {
          passed: reached.length - failed,
          failed,
          missed: missed.length,
        })}
      >
        <ol className={styles.checks} aria-label="Checks, in order">
          {reached.map(({ check, title, result, value }) => (
            <li key={check} data-result={result}>
              <Mark kind={result === 'passed' ? 'ok' : 'bad'} label={result} />
              <span>{title}</span>
              <small title={value ?? undefined}>{value}</small>
            </li>
          ))}
          {missed.length === 0 ? null : (
            <li data-result="not reached">
              <i aria-hidden />
              <span title={missed.join(', ')}>{missed.join(', ')}</span>
              <small>not reached</small>
            </li>
          )}
        </ol>
      </PanelSection>
      <PanelSection title="The rule" aside={<DocsLink path={why.rule.link} name="the rule" />}>
        <p className={styles.rule}>
          <WithCode text={why.rule.text} />
        </p>
      </PanelSection>
      <Suggestion id={why.requestId} suggestion={why.suggestion} />
    </>
  )
}

/** A text with `names` of the API in backticks, which are drawn as code. */
function WithCode({ text }: { text: string }) {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
}

function Changes({ changes }: Pick<NonNullable<SandboxWhy['suggestion']>, 'changes'>) {
  if (changes.length === 0) return null
  return (
    <ul className={styles.changes} aria-label="Changes">
      {changes.map(({ where, from, to }) => (
        <li key={where}>
          <span>{where}</span>
          {from === null ? null : (
            <del>
              <i aria-hidden>− </i>
              {from}
            </del>
          )}
          {to === null ? null : (
            <ins>
              <i aria-hidden>+ </i>
              {to}
            </ins>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Sends the suggested request, and no other one, to the sandbox itself, once. */
function RunHere({ id, fingerprint }: { id: string; fingerprint: string }) {
  const client = useQueryClient()
  const run = useSandboxAction(
    () =>
      rpc.sandbox.control.runSuggestion({ id, fingerprint }).catch((error: unknown) => {
        // Usually another request passes now: show that one.
        void client.invalidateQueries({
          queryKey: api.sandbox.control.explain.queryOptions({ input: { id } }).queryKey,
        })
        throw error
      }),
    ({ status, code }) =>
      code === null
        ? { title: `Passed: ${status}`, text: 'The request log has the request and its response.' }
        : { title: `Rejected: ${status} ${code}`, text: 'The sandbox changed. Explain it again.' },
  )
  const start = (): void => {
    if (!run.isPending && !run.isSuccess) run.mutate(undefined)
  }
  useShortcut('Ctrl+Enter', start)
  return (
    <Button
      kind="primary"
      keys={['Ctrl', 'Enter']}
      icon={<IconPlayerPlay size={16} stroke={1.6} />}
      busy={run.isPending}
      disabled={run.isSuccess}
      onClick={start}
    >
      Run it here
    </Button>
  )
}

function Suggestion({ id, suggestion }: { id: string; suggestion: SandboxWhy['suggestion'] }) {
  const baseUrl = useQuery(api.sandbox.state.queryOptions()).data?.baseUrl
  if (suggestion === null)
    return (
      <PanelSection title="Nearest request that passes">
        <p className={styles.rule}>
          No request near this one passes. Change the state of the sandbox first, or send another
          kind of request.
        </p>
      </PanelSection>
    )
  const { fingerprint, status, tried, durationMs, waitMs, changes, steps, request } = suggestion
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(
      suggestionCommands(new URL(baseUrl ?? 'http://127.0.0.1').origin, suggestion),
    )
    toast({
      kind: 'copy',
      title: 'Copied as curl',
      text: 'Set KEYDESK_API_KEY to a key of the account first.',
    })
  }
  return (
    <PanelSection
      title="Nearest request that passes"
      aside={
        <span className={styles.proven}>
          <Mark kind="ok" />
          proven on a copy: {status}
        </span>
      }
    >
      {steps.length === 0 && waitMs === 0 ? null : (
        <ol className={styles.steps} aria-label="Do this first">
          {steps.map(({ method, path }, index) => (
            <li key={index}>
              First send{' '}
              <code>
                {method} {path}
              </code>
            </li>
          ))}
          {waitMs === 0 ? null : <li>Wait {formatCount(Math.ceil(waitMs / 1000))} s</li>}
        </ol>
      )}
      <Changes changes={changes} />
      <pre className={styles.request}>
        <b>{request.method}</b> {request.path}
        {request.query === '' ? '' : `?${request.query}`}
        {request.body == null ? '' : `\n${JSON.stringify(request.body, null, 1)}`}
      </pre>
      <p className={styles.rule}>
        {t('screens.sandbox-why-tried', { count: tried, ms: Math.round(durationMs) })} Nothing was
        changed in the sandbox. <b>Run it here</b> sends it to the sandbox with a new
        Idempotency-Key and changes its data.
      </p>
      <div className={styles.actions}>
        {waitMs > 0 ? null : <RunHere key={fingerprint} id={id} fingerprint={fingerprint} />}
        <Button icon={<IconTerminal2 size={16} stroke={1.6} />} onClick={() => void copy()}>
          Copy as curl
        </Button>
      </div>
    </PanelSection>
  )
}
