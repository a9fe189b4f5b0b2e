import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/core/rpc.ts'
import { formatMoment, formatUtc } from '../../ui/format.ts'
import { useNow } from '../../ui/hooks/use-now.ts'

/** The sandbox's current time, in milliseconds, updated every `everyMs`. */
export function useSandboxNow(everyMs = 30_000): number {
  const offset = useQuery(api.sandbox.control.clock.queryOptions()).data?.offsetMs ?? 0
  return useNow(everyMs) + offset
}

/** A time of the sandbox: `today, 20:44`, with UTC as its tooltip. */
export function SandboxMoment({ at }: { at: number }) {
  return <time title={formatUtc(at)}>{formatMoment(at, useSandboxNow())}</time>
}
