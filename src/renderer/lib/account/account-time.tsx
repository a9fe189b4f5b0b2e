import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import { formatMoment, formatUtc } from '../../ui/format.ts'
import { ClaimClock } from '../../ui/data-display/time-left.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { api } from '../core/rpc.ts'
import { CurrentAccount } from './current-account.ts'

/**
 * The current time of the account's service, in milliseconds, updated every `everyMs`. Compare it
 * with times that the service reports. Times recorded on this computer belong to its own clock,
 * `Date.now()`.
 */
export function useAccountNow(everyMs = 30_000): number {
  return useNow(everyMs) + (useContext(CurrentAccount)?.clockOffsetMs ?? 0)
}

/** Like {@link useAccountNow}, for lists with records of several accounts. */
export function useAccountNows(everyMs = 30_000): (accountId: string) => number {
  const now = useNow(everyMs)
  const accounts = useQuery(api.accounts.list.queryOptions()).data
  return (accountId) => now + (accounts?.find(({ id }) => id === accountId)?.clockOffsetMs ?? 0)
}

/** A time that the service reported: `today, 20:44`, with UTC as its tooltip. */
export function ServiceMoment({ at }: { at: number }) {
  return <time title={formatUtc(at)}>{formatMoment(at, useAccountNow())}</time>
}

/** The time left to claim a key of the current account. */
export function ClaimTimeLeft({ until }: { until: number }) {
  return <ClaimClock leftMs={until - useAccountNow()} />
}
