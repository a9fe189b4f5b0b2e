import type { ResponseBody } from '../../../server/api/handlers.ts'
import { Failure, failure, isFailure } from '../failure.ts'
import { instantOf } from '../mirror/mirror.ts'
import type { Dashboard } from '../sandbox/sandbox.ts'
import type { DisputeState } from './store.ts'

type Dispute = NonNullable<ResponseBody<'listAllDisputes'>['results']>[number]
const outcomes: Readonly<Record<string, DisputeState['outcome']>> = {
  replaced: 'replaced',
  refunded: 'refunded',
  rejected: 'rejected',
}
const PAGE = 100

const disputeStateOf = (dispute: Dispute): DisputeState => ({
  disputeId: dispute.id ?? null,
  status: dispute.status,
  escalatesAt: instantOf(dispute.escalatesAt),
  outcome: outcomes[dispute.resolution?.type ?? ''] ?? null,
  settledAt: instantOf(dispute.resolution?.at),
})

/** The service has a claim for the key, and Keydesk couldn't read it: it may be this one. */
const unreadClaim = ({ problem }: Failure): Failure =>
  new Failure(
    {
      ...problem,
      what: 'The service already has a claim for this key, and Keydesk couldn’t read it.',
      effect: 'No second claim was made.',
      next: 'Keydesk checks it again automatically.',
    },
    { certainty: 'unknown', retry: 'ask' },
  )

/** The sandbox's support and suppliers, through its dashboard. */
export function createSandboxClaims(dashboard: Dashboard) {
  async function findDispute(fits: (dispute: Dispute) => boolean): Promise<Dispute | null> {
    for (let page = 1; ; page += 1) {
      const { results } = await dashboard.call('listAllDisputes', {
        query: { page, limit: PAGE },
      })
      const found = results.find(fits)
      if (found !== undefined) return found
      if (results.length < PAGE) return null
    }
  }

  /** Every dispute about these keys, in one request. */
  async function ofKeys(keyIds: ReadonlySet<string>): Promise<Map<string, DisputeState>> {
    const found = new Map<string, DisputeState>()
    await findDispute((dispute) => {
      if (dispute.keyId != null && keyIds.has(dispute.keyId) && !found.has(dispute.keyId))
        found.set(dispute.keyId, disputeStateOf(dispute))
      return found.size === keyIds.size
    })
    return found
  }

  return {
    ofKeys,
    /**
     * Files a claim. An existing claim for the key is returned instead, because the response to
     * filing it may have been lost. If that claim can't be read, the outcome is unknown.
     */
    async file(claim: {
      orderId: string
      keyId: string
      message: string
      screenshot: string | null
    }): Promise<DisputeState> {
      const { screenshot, ...body } = claim
      try {
        const { disputeId } = await dashboard.call('createClaim', {
          body: { ...body, ...(screenshot !== null && { screenshot }) },
        })
        return { disputeId, status: 'open', escalatesAt: null, outcome: null, settledAt: null }
      } catch (error) {
        if (!(error instanceof Failure) || error.problem.code !== 'CLAIM_EXISTS') throw error
        const found = await ofKeys(new Set([claim.keyId])).catch((lookUpError: unknown) => {
          throw lookUpError instanceof Failure ? unreadClaim(lookUpError) : lookUpError
        })
        const existing = found.get(claim.keyId)
        if (existing === undefined) throw error
        return existing
      }
    },
    /**
     * Acts as the supplier of a unit, with an API key that the dashboard creates and revokes again.
     */
    async settle(disputeId: string, how: NonNullable<DisputeState['outcome']>): Promise<void> {
      if (how === 'rejected')
        return void (await dashboard.call('rejectDispute', {
          params: { id: disputeId },
          body: { reason: 'The supplier shows that the key was redeemed.' },
        }))
      const { results: sellers } = await dashboard.call('listSellers', { query: { limit: PAGE } })
      for (const { id } of sellers) {
        const { id: keyId, key } = await dashboard.call('createSellerKey', {
          params: { id },
          body: {},
        })
        try {
          if (await isOf(key, disputeId)) {
            if (how === 'replaced')
              await dashboard.callAs(key, 'replaceKey', {
                params: { id: disputeId },
                body: { fromStock: true },
              })
            else await dashboard.callAs(key, 'refundDispute', { params: { id: disputeId } })
            return
          }
        } finally {
          await dashboard.call('revokeSellerKey', { params: { id, keyId } })
        }
      }
      throw failure('NOT_FOUND', 'No supplier in the sandbox has this claim.', 'Check it again.', {
        effect: 'Nothing was changed.',
      })
    },
  }

  async function isOf(key: string, disputeId: string): Promise<boolean> {
    try {
      await dashboard.callAs(key, 'getDispute', { params: { id: disputeId } })
      return true
    } catch (error) {
      if (isFailure(error, 'NOT_FOUND')) return false
      throw error
    }
  }
}
export type SandboxClaims = ReturnType<typeof createSandboxClaims>
