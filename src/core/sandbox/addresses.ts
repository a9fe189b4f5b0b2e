import type { SandboxAddresses, SandboxSecret } from '../../contract/sandbox/sandbox-addresses.ts'
import type { BackendReady } from '../../platform/backends/backend-process.ts'
import { failure } from '../failure.ts'

/** The addresses of a service for other programs, without its secrets. */
export const addressesOf = ({
  baseUrl,
  sellerUrl,
  dashboardUrl,
  demo,
}: Omit<BackendReady, 'dashboardToken'>): SandboxAddresses => ({
  partnerUrl: baseUrl,
  sellerUrl,
  dashboardUrl,
  docsUrl: new URL('/docs', baseUrl).href,
  hasDemoKeys: demo !== null,
})

/** One of its secrets. Throws Failure `NOT_FOUND` for a key of an empty world. */
export function secretOf(
  { dashboardToken, demo }: Pick<BackendReady, 'dashboardToken' | 'demo'>,
  which: SandboxSecret,
): string {
  if (which === 'dashboard') return dashboardToken
  if (demo === null)
    throw failure(
      'NOT_FOUND',
      'An empty sandbox has no demo accounts.',
      'Create an account on Accounts and keys.',
    )
  return {
    partnerTest: demo.partnerTestKey,
    partnerLive: demo.partnerLiveKey,
    seller: demo.sellerKey,
  }[which]
}
