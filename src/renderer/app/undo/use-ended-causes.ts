import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Account } from '../../../contract/app/accounts.ts'
import { useServiceConnection } from '../../lib/account/service-connection.ts'
import { api } from '../../lib/core/rpc.ts'
import type { ToastCause } from '../../ui/feedback/toast-causes.ts'
import { closeToastsOf } from '../../ui/feedback/toasts.tsx'
import { useDiskFull } from '../shell/disk-full-bar.tsx'

/** Closes the toasts that report a state of the console when it ends. */
export function useEndedCauses(account: Account | null): void {
  const vault = useQuery(api.vault.state.queryOptions()).data
  const isEnded: Readonly<Record<ToastCause, boolean>> = {
    vault: vault?.state === 'open',
    offline: useServiceConnection(account)?.state === 'online',
    disk: !useDiskFull(),
  }
  useClosing('vault', isEnded.vault)
  useClosing('offline', isEnded.offline)
  useClosing('disk', isEnded.disk)
}

function useClosing(cause: ToastCause, isEnded: boolean): void {
  useEffect(() => {
    if (isEnded) closeToastsOf(cause)
  }, [cause, isEnded])
}
