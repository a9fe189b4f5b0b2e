import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SandboxCertificate } from '../../../../contract/sandbox/sandbox-certificate.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { useSandboxAction } from '../use-sandbox-action.ts'

const readEveryMs = 500

export const isActive = ({ state }: SandboxCertificate): boolean =>
  state === 'waiting' || state === 'running' || state === 'shrinking'

/** The latest certificate, read again while it runs, and the actions that start and cancel one. */
export function useCertificate() {
  const client = useQueryClient()
  const query = useQuery({
    ...api.sandbox.certificate.state.queryOptions(),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isActive(data) ? readEveryMs : false,
  })
  const show = (next: SandboxCertificate): void => {
    client.setQueryData(api.sandbox.certificate.state.queryKey(), next)
  }
  const start = useSandboxAction(
    (input: Parameters<typeof rpc.sandbox.certificate.start>[0]) =>
      rpc.sandbox.certificate.start(input),
    () => null,
    show,
  )
  const cancel = useSandboxAction(
    () => rpc.sandbox.certificate.cancel(),
    () => null,
    show,
  )
  return { query, start, cancel }
}
export type CertificateActions = Pick<ReturnType<typeof useCertificate>, 'start' | 'cancel'>
