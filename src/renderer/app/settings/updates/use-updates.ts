import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { UpdateState } from '../../../../contract/app/updates.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'

export type ActOnUpdate = (step: () => Promise<UpdateState>) => void

/** The state of updates, and a way to act on it that shows the state afterwards. */
export function useUpdates(onActed?: () => void): {
  state: UpdateState | undefined
  act: ActOnUpdate
} {
  const client = useQueryClient()
  const state = useQuery(api.updates.state.queryOptions()).data
  const run = useMutation({
    mutationFn: (step: () => Promise<UpdateState>) => step(),
    onSuccess: (now) => {
      client.setQueryData(api.updates.state.queryKey(), now)
      onActed?.()
    },
    onError: (error) => toastProblem(problemOf(error), null),
  })
  return { state, act: (step) => run.mutate(step) }
}
