import { IconEye } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { problemOf } from '../../lib/core/problem.ts'
import { api, rpc } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { OfflineBar } from '../../ui/feedback/offline-bar.tsx'
import { toastProblem } from '../../ui/feedback/toasts.tsx'

/** How long the core takes to close the copy after its response, in milliseconds. */
const closeMs = 1000

export const useReadOnly = (): boolean =>
  useQuery({ ...api.recovery.state.queryOptions(), staleTime: Number.POSITIVE_INFINITY }).data
    ?.mode === 'read-only'

/** Shown on every page while a copy of the data is open for reading. */
export function ReadOnlyBar() {
  const leave = useMutation({
    mutationFn: () => rpc.recovery.open(),
    onSuccess: () => void setTimeout(() => location.reload(), closeMs),
    onError: (error) => {
      toastProblem(problemOf(error), null)
    },
  })
  return (
    <OfflineBar
      title="Keydesk is open read-only."
      icon={<IconEye size={16} stroke={1.6} aria-hidden />}
      action={
        <Button busy={leave.isPending} onClick={() => leave.mutate()}>
          Choose how to continue…
        </Button>
      }
    >
      You’re viewing a copy of your data. Nothing is saved or sent, and nothing is synced.
    </OfflineBar>
  )
}
