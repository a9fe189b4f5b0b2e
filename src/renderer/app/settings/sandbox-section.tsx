import { useMutation, useQuery } from '@tanstack/react-query'
import { problemOf } from '../../lib/core/problem.ts'
import { api, rpc } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { formatMoment } from '../../ui/format.ts'
import { StatusTag } from '../../ui/data-display/status-tag.tsx'
import { toastProblem } from '../../ui/feedback/toasts.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import styles from './settings.module.css'

/** State, address and data folder of the bundled backend, with buttons to start and stop it. */
export function SandboxSection() {
  const sandbox = useQuery(api.sandbox.state.queryOptions()).data
  const info = useQuery(api.app.info.queryOptions()).data
  const available = info?.keychain.available ?? true
  const turn = useMutation({
    mutationFn: (on: boolean) =>
      on ? rpc.sandbox.start({ keep: available ? 'keychain' : 'session' }) : rpc.sandbox.stop(),
    onError: (error) => {
      toastProblem(problemOf(error), null)
    },
    onSettled: (_state, _error, _on, _context, { client }) =>
      client.invalidateQueries({ queryKey: api.sandbox.key() }),
  })
  const now = useNow(60_000)
  if (sandbox === undefined) return null
  const runs = sandbox.state === 'running'
  const since = sandbox.since === null ? '' : `, since ${formatMoment(sandbox.since, now)}`
  const address = `${sandbox.baseUrl ?? ''}${since}`
  return (
    <section>
      <h2>Sandbox</h2>
      <div className={styles.row}>
        <div>
          <b>A complete marketplace on this computer </b>
          <StatusTag tone={runs ? 'ok' : sandbox.state === 'failed' ? 'bad' : 'neutral'}>
            {runs
              ? 'Running'
              : sandbox.state === 'failed'
                ? 'Failed'
                : sandbox.state === 'starting'
                  ? 'Starting'
                  : 'Stopped'}
          </StatusTag>
          <p>
            {runs
              ? `${address}. After you stop it, synced data stays readable.`
              : (sandbox.reason ??
                'Its data is saved between starts. Nothing leaves this computer.')}
            {info === undefined ? null : (
              <>
                {' '}
                <span className="kd-mono">{info.dataFolder}/sandbox</span>
              </>
            )}
          </p>
        </div>
        {runs ? (
          <Button busy={turn.isPending} onClick={() => turn.mutate(false)}>
            Stop
          </Button>
        ) : (
          <Button
            kind="sandbox"
            busy={turn.isPending || sandbox.state === 'starting'}
            onClick={() => turn.mutate(true)}
          >
            Start
          </Button>
        )}
      </div>
    </section>
  )
}
