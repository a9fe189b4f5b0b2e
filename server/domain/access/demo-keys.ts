import type { Context } from '../context.ts'
import type { ApiKeys } from './api-keys.ts'

/** Names of the settings that identify the demo accounts. */
export const demoSettings = { partner: 'demo_partner', seller: 'demo_seller' } as const

/** Keys of the demo accounts, shown once. */
export interface DemoKeys {
  partnerTestKey: string
  partnerLiveKey: string
  sellerKey: string
}

/**
 * Issues new keys for the demo accounts and revokes those of the previous start. Returns null when
 * the data has no demo accounts.
 */
export function issueDemoKeys({ store }: Context, keys: ApiKeys): DemoKeys | null {
  const partnerId = store.settings.get(demoSettings.partner)
  const sellerId = store.settings.get(demoSettings.seller)
  return store.transaction(() => {
    keys.revokeFrom('demo')
    if (partnerId === undefined || sellerId === undefined) return null
    const partner = { owner: 'partner', accountId: partnerId, origin: 'demo' } as const
    return {
      partnerTestKey: keys.issue({ ...partner, mode: 'test' }).key,
      partnerLiveKey: keys.issue({ ...partner, mode: 'live' }).key,
      sellerKey: keys.issue({ owner: 'seller', accountId: sellerId, mode: 'live', origin: 'demo' })
        .key,
    }
  })
}
