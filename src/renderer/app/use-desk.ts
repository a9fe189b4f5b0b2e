import { useMutation, useQuery, type UseMutationOptions } from '@tanstack/react-query'
import type { Account } from '../../contract/accounts.ts'
import type { Settings } from '../../contract/app.ts'
import { problemOf } from '../lib/problem.ts'
import { api, rpc } from '../lib/rpc.ts'
import { toastProblem } from '../ui/toasts.tsx'

const noAccounts: Account[] = []

export interface Desk {
  /** Undefined until the core told. */
  accounts: Account[] | undefined
  current: Account | null
  settings: Settings | undefined
}

/** The accounts of this desk, the one in front, and the settings. */
export function useDesk(): Desk {
  const accounts = useQuery(api.accounts.list.queryOptions()).data
  const settings = useQuery(api.app.settings.queryOptions()).data
  const list = accounts ?? noAccounts
  return {
    accounts: settings === undefined ? undefined : accounts,
    settings,
    current: list.find((account) => account.id === settings?.currentAccountId) ?? list[0] ?? null,
  }
}

const changing = ['change settings'] as const

/**
 * How settings are changed: shown at once, and as the core answers. An answer says nothing of what
 * was changed after it was asked for: the latest one counts.
 */
export const changeOf = (
  send: (part: Partial<Settings>) => Promise<Settings>,
): UseMutationOptions<Settings, Error, Partial<Settings>> => ({
  mutationKey: changing,
  mutationFn: send,
  onMutate: (part, { client }) => {
    void client.cancelQueries({ queryKey: api.app.settings.key() })
    client.setQueryData<Settings>(api.app.settings.queryKey(), (old) =>
      old === undefined ? old : { ...old, ...part },
    )
  },
  onSuccess: (settings, _part, _context, { client }) => {
    if (client.isMutating({ mutationKey: changing }) === 1)
      client.setQueryData(api.app.settings.queryKey(), settings)
  },
  onError: (error, _part, _context, { client }) => {
    toastProblem(problemOf(error))
    void client.invalidateQueries({ queryKey: api.app.settings.key() })
  },
})

/** Changes settings; a failure is told by a toast. */
export const useChangeSettings = (): ((part: Partial<Settings>) => void) =>
  useMutation(changeOf((part) => rpc.app.changeSettings(part))).mutate
