import { useMutation, useQuery } from '@tanstack/react-query'
import type { Account } from '../../../contract/app/accounts.ts'
import { syncedAt, useServiceConnection } from '../../lib/account/service-connection.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api, rpc } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { formatClockSeconds, formatMoment } from '../../ui/format.ts'
import { OfflineBar } from '../../ui/feedback/offline-bar.tsx'
import { toastProblem } from '../../ui/feedback/toasts.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { accountProblem, isShownInBar } from './account-problem.ts'
import { ConfirmAddress } from './confirm-address.tsx'
import { ReadOnlyBar, useReadOnly } from '../recovery/read-only-bar.tsx'
import { DiskFullBar, useDiskFull } from '../shell/disk-full-bar.tsx'
import { setScreen } from '../shell/screen-store.ts'
import { useShownList } from '../pages/current-page.ts'

/**
 * The bar under every page header while the account can't reach or sign in to its service, or while
 * the disk is full or the data is read-only. It says how old the data is and how to fix the problem.
 */
export function AccountNotice({ account }: { account: Account }) {
  const list = useShownList(account)
  const connection = useServiceConnection(account)
  const retry = useMutation({
    mutationFn: () => rpc.accounts.syncNow({ accountId: account.id }),
    onError: (error) => {
      const problem = problemOf(error)
      if (!isShownInBar(problem)) toastProblem(problem, account.name)
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
  const readOnly = useReadOnly()
  const trouble = accountProblem(account)
  if (readOnly) return <ReadOnlyBar />
  // A full disk comes first: without disk space Keydesk can't even record what went wrong.
  if (full) return <DiskFullBar />
  if (trouble !== null) {
    return (
      <OfflineBar
        title={trouble.title}
        action={
          trouble.needsKey ? (
            <Button onClick={() => setScreen({ rekeying: account.id })}>Enter the key…</Button>
          ) : account.state === 'address-unconfirmed' ? (
            <ConfirmAddress account={account} />
          ) : null
        }
        {...(account.state === 'key-missing' || account.state === 'address-unconfirmed'
          ? {}
          : { onRetry: () => retry.mutate(), busy: retry.isPending })}
      >
        {trouble.text}
      </OfflineBar>
    )
  }
  if (connection?.state !== 'offline') return null
  const last = syncedAt(connection.synced, list)
  const asOf =
    last === null
      ? 'The first sync isn’t complete, so records are missing.'
      : `You’re seeing data as of ${timeOf(last, now)}.`
  const sending =
    account.role === 'seller'
      ? 'Your changes are queued. Nothing is sent until you send it.'
      : 'Nothing is ordered or downloaded until you do it. Keydesk reconnects automatically.'
  if (sandboxEnded)
    return (
      <SandboxEnded
        asOf={asOf}
        sending={
          account.role === 'seller' ? sending : 'Nothing is sent until the sandbox runs again.'
        }
      />
    )
  return (
    <OfflineBar onRetry={() => retry.mutate()} busy={retry.isPending}>
      {asOf} {sending}
    </OfflineBar>
  )
}

/** With seconds for a time today. */
const timeOf = (at: number, now: number): string =>
  new Date(at).toDateString() === new Date(now).toDateString()
    ? formatClockSeconds(at)
    : formatMoment(at, now)

/** Keydesk's own sandbox doesn't restart automatically, so this bar offers to start it. */
function SandboxEnded({ asOf, sending }: { asOf: string; sending: string }) {
  const available = useQuery(api.app.info.queryOptions()).data?.keychain.available ?? true
  const start = useMutation({
    mutationFn: () => rpc.sandbox.start({ keep: available ? 'keychain' : 'session' }),
    onError: (error) => {
      toastProblem(problemOf(error), null)
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
      {asOf} {sending}
    </OfflineBar>
  )
}
