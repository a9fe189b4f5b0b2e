import { useMutation, useQuery } from '@tanstack/react-query'
import type { Account } from '../../contract/accounts.ts'
import { useConnection } from '../lib/connection.ts'
import { problemOf } from '../lib/problem.ts'
import { api, rpc } from '../lib/rpc.ts'
import { Button } from '../ui/button.tsx'
import { formatClockSeconds, formatMoment } from '../ui/format.ts'
import { OfflineBar } from '../ui/offline-bar.tsx'
import { toastProblem } from '../ui/toasts.tsx'
import { useNow } from '../ui/use-now.ts'
import { accountTrouble, isToldByBar } from './account-trouble.ts'
import { DiskFullBar, useDiskFull } from './disk-full-bar.tsx'
import { setScreen } from './screen-store.ts'

/**
 * Under the header of every page while the account can't reach or enter its service, or the disk is
 * full: since when the data is, and what mends it.
 */
export function AccountNotice({ account }: { account: Account }) {
  const connection = useConnection(account)
  const retry = useMutation({
    mutationFn: () => rpc.accounts.syncNow({ accountId: account.id }),
    onError: (error) => {
      const problem = problemOf(error)
      if (!isToldByBar(problem)) toastProblem(problem)
    },
  })
  const sandbox = useQuery({
    ...api.sandbox.state.queryOptions(),
    enabled: account.mode === 'sandbox',
  }).data
  const sandboxEnded =
    (sandbox?.state === 'stopped' || sandbox?.state === 'failed') &&
    sandbox.accounts.some((demo) => demo.id === account.id)
  const now = useNow(60_000)
  const full = useDiskFull()
  const trouble = accountTrouble(account)
  // It goes before everything else: without room not even what went wrong can be kept.
  if (full) return <DiskFullBar />
  if (trouble !== null) {
    return (
      <OfflineBar
        title={trouble.title}
        action={
          trouble.rekey ? (
            <Button onClick={() => setScreen({ rekeying: account.id })}>Enter the key…</Button>
          ) : null
        }
        {...(account.state === 'key-missing'
          ? {}
          : { onRetry: () => retry.mutate(), busy: retry.isPending })}
      >
        {trouble.text}
      </OfflineBar>
    )
  }
  if (connection?.state !== 'offline') return null
  const last = connection.lastSyncAt
  const asOf =
    last === null
      ? 'Nothing was read yet.'
      : `You see everything as of ${new Date(last).toDateString() === new Date(now).toDateString() ? formatClockSeconds(last) : formatMoment(last, now)}.`
  const meanwhile =
    account.role === 'seller'
      ? 'Changes wait in the outbox, nothing is sent without you.'
      : 'Nothing is sent until it is back; it tries again by itself.'
  if (sandboxEnded)
    return (
      <SandboxEnded
        asOf={asOf}
        meanwhile={account.role === 'seller' ? meanwhile : 'Nothing is sent until it runs again.'}
      />
    )
  return (
    <OfflineBar onRetry={() => retry.mutate()} busy={retry.isPending}>
      {asOf} {meanwhile}
    </OfflineBar>
  )
}

/** The desk's own sandbox does not come back by itself: it is started here. */
function SandboxEnded({ asOf, meanwhile }: { asOf: string; meanwhile: string }) {
  const available = useQuery(api.app.info.queryOptions()).data?.keychain.available ?? true
  const start = useMutation({
    mutationFn: () => rpc.sandbox.start({ keep: available ? 'keychain' : 'session' }),
    onError: (error) => {
      toastProblem(problemOf(error))
    },
  })
  return (
    <OfflineBar
      title="The sandbox is stopped."
      action={
        <Button kind="sandbox" busy={start.isPending} onClick={() => start.mutate()}>
          Start the sandbox
        </Button>
      }
    >
      {asOf} {meanwhile}
    </OfflineBar>
  )
}
