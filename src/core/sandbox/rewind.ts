import type { Account } from '../../contract/app/accounts.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { Dashboard, DemoKeys } from './dashboard.ts'

type Parts = {
  dashboard: Dashboard
  accounts: Accounts
  settings: SettingsStore
  /**
   * Clears an account's mirror and syncs it again. Data that exists only on this computer stays.
   */
  resync: (accountId: string) => Promise<void>
  baseUrl: () => string
  /** Sets the new demo keys. */
  setDemoKeys: (demo: DemoKeys | null) => void
}

/** Restores and resets the sandbox, and updates Keydesk's data from the earlier world. */
export function createRewind({
  dashboard,
  accounts,
  settings,
  resync: readAnew,
  baseUrl,
  setDemoKeys: demoIs,
}: Parts) {
  /**
   * Replaces one account completely, including the selection, before the next one is touched, so
   * that there is always an account.
   */
  async function replace(old: Account, demo: 'seller' | 'partner', key: string): Promise<void> {
    const inFront = settings.get().currentAccountId === old.id
    await accounts.remove(old.id, null)
    const { id } = await accounts.connectDemo({
      demo,
      name: old.name,
      key,
      baseUrl: baseUrl(),
      keep: old.keyKept === 'keychain' ? 'keychain' : 'session',
    })
    if (inFront) settings.change({ currentAccountId: id })
  }

  return {
    /**
     * A mirror only syncs changes, so rows of the earlier world would never disappear without a
     * full sync.
     */
    async restore(name: string): Promise<void> {
      await dashboard.call('restoreSnapshot', { params: { name } })
      for (const { id, baseUrl: at } of accounts.list()) if (at === baseUrl()) await readAnew(id)
    },
    async reset(world: {
      seed?: 'demo' | 'empty' | undefined
      products?: number | undefined
    }): Promise<void> {
      const { demo } = await dashboard.call('reset', { body: world })
      demoIs(demo)
      for (const old of accounts.demoAccounts()) {
        if (demo === null) await readAnew(old.id)
        else
          await replace(old, old.role, old.role === 'seller' ? demo.sellerKey : demo.partnerLiveKey)
      }
    },
  }
}
