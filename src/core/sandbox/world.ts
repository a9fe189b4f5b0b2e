import type { InferContractRouterInputs } from '@orpc/contract'
import type { SandboxDispute, SandboxUnit } from '../../contract/sandbox/sandbox-world.ts'
import type { Contract } from '../../contract/index.ts'
import { instantOf } from '../mirror/mirror.ts'
import type { Dashboard, DemoKeys } from './dashboard.ts'

type Inputs = InferContractRouterInputs<Contract['sandbox']['world']>
type Paged = { page?: number | undefined; limit?: number | undefined }

/**
 * Products, sold units and disputes of the sandbox, read over the APIs where its dashboard has no
 * list.
 */
export function createWorld(dashboard: Dashboard, demo: () => DemoKeys | null) {
  /**
   * Runs `read` with a partner's key: the demo partner's, or a temporary one that is revoked
   * afterwards. Null if there is no partner.
   */
  async function asPartner<T>(read: (key: string) => Promise<T>): Promise<T | null> {
    const known = demo()
    if (known !== null) return read(known.partnerLiveKey)
    const { results } = await dashboard.call('listPartners', { query: { limit: 100 } })
    const partner = results.find(
      ({ status, ipAllowlist }) => status === 'active' && ipAllowlist.length === 0,
    )
    if (partner === undefined) return null
    const { id: keyId, key } = await dashboard.call('createPartnerKey', {
      params: { id: partner.id },
      body: { mode: 'test', scopes: ['catalog:read'] },
    })
    try {
      return await read(key)
    } finally {
      await dashboard.call('revokePartnerKey', { params: { id: partner.id, keyId } })
    }
  }

  return {
    async products({ search = '', page = 1, limit = 50 }: Inputs['products']) {
      const words = search.trim()
      const found = await asPartner((key) =>
        dashboard.callAs(key, 'listProducts', {
          query: {
            page,
            limit,
            includeRemoved: true,
            ...(words.length < 2 ? {} : { search: words }),
          },
        }),
      )
      return found === null
        ? { total: 0, results: [], unread: true }
        : { total: found.total ?? 0, results: found.results, unread: false }
    },
    async soldUnits({
      page = 1,
      limit = 50,
    }: Paged): Promise<{ total: number; results: SandboxUnit[] }> {
      const keys = demo()
      if (keys === null) return { total: 0, results: [] }
      const { total = 0, results } = await dashboard.callAs(keys.sellerKey, 'listSales', {
        query: { page, limit },
      })
      return {
        total,
        results: results.map((sale) => ({
          orderId: sale.orderId ?? '',
          keyId: sale.keyId ?? '',
          name: sale.name ?? '',
          soldAt: instantOf(sale.soldAt),
          status: sale.status ?? '',
        })),
      }
    },
    async disputes({
      page = 1,
      limit = 50,
    }: Paged): Promise<{ total: number; results: SandboxDispute[] }> {
      const { total = 0, results } = await dashboard.call('listAllDisputes', {
        query: { page, limit },
      })
      return {
        total,
        results: results.map((dispute) => ({
          id: dispute.id ?? '',
          orderId: dispute.orderId ?? '',
          keyId: dispute.keyId ?? '',
          name: dispute.name ?? '',
          reason: dispute.reason ?? '',
          status: dispute.status,
          openedAt: instantOf(dispute.openedAt),
          escalatesAt: instantOf(dispute.escalatesAt),
          outcome: dispute.resolution?.type ?? null,
        })),
      }
    },
  }
}
