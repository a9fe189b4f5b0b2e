import { useMutation, useQuery, type UseMutationOptions } from '@tanstack/react-query'
import type { Account } from '../../contract/app/accounts.ts'
import type { Settings } from '../../contract/app/app.ts'
import { problemOf } from '../lib/core/problem.ts'
import { api, rpc } from '../lib/core/rpc.ts'
import { toastProblem } from '../ui/feedback/toasts.tsx'

const noAccounts: Account[] = []

export interface AppState {
  /** Undefined until the core has responded. */
  accounts: Account[] | undefined
  current: Account | null
  settings: Settings | undefined
}

/** All accounts, the current account and the settings. */
export function useAppState(): AppState {
  const accounts = useQuery(api.accounts.list.queryOptions()).data
  const settings = useQuery(api.app.settings.queryOptions()).data
  const list = accounts ?? noAccounts
  return {
    accounts: settings === undefined ? undefined : accounts,
    settings,
    current: list.find((account) => account.id === settings?.currentAccountId) ?? list[0] ?? null,
  }
}

const settingsMutationKey = ['change settings'] as const

/**
 * The mutation that changes settings: optimistic, then replaced by the core's response. A response
 * doesn't include later changes, so only the response to the latest change is applied.
 */
export const settingsMutation = (
  send: (part: Partial<Settings>) => Promise<Settings>,
): UseMutationOptions<Settings, Error, Partial<Settings>> => ({
  mutationKey: settingsMutationKey,
  mutationFn: send,
  onMutate: (part, { client }) => {
    void client.cancelQueries({ queryKey: api.app.settings.key() })
    client.setQueryData<Settings>(api.app.settings.queryKey(), (old) =>
      old === undefined ? old : { ...old, ...part },
    )
  },
  onSuccess: (settings, _part, _context, { client }) => {
    if (client.isMutating({ mutationKey: settingsMutationKey }) === 1)
      client.setQueryData(api.app.settings.queryKey(), settings)
  },
  onError: (error, _part, _context, { client }) => {
    toastProblem(problemOf(error), null)
    void client.invalidateQueries({ queryKey: api.app.settings.key() })
  },
})

/** Changes settings. A toast reports a failure. */
export const useChangeSettings = (): ((part: Partial<Settings>) => void) =>
  useMutation(settingsMutation((part) => rpc.app.changeSettings(part))).mutate
