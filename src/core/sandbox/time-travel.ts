import type { Account } from '../../contract/accounts.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { Dashboard, DemoKeys } from './dashboard.ts'

type Parts = {
  dashboard: Dashboard
  accounts: Accounts
  settings: SettingsStore
  /** Has an account's mirror begun anew; what only this desk knows stays. */
  readAnew: (accountId: string) => Promise<void>
  baseUrl: () => string
  /** The demo keys from now on. */
  demoIs: (demo: DemoKeys | null) => void
}

/**
 * What goes back in the sandbox: restored states and resets, and what the desk does with what it
 * read of the world before.
 */
export function createTimeTravel({
  dashboard,
  accounts,
  settings,
  readAnew,
  baseUrl,
  demoIs,
}: Parts) {
  /**
   * A new account takes the place of the old one, in front too, before the other is touched: the
   * desk is never without any.
   */
  async function replace(old: Account, demo: 'seller' | 'partner', key: string): Promise<void> {
    const inFront = settings.get().currentAccountId === old.id
    await accounts.remove(old.id)
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
     * Rows of the world that is no more would never be read away: of a mirror only changes are
     * asked for.
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
      for (const old of accounts.demos()) {
        if (demo === null) await readAnew(old.id)
        else
          await replace(old, old.role, old.role === 'seller' ? demo.sellerKey : demo.partnerLiveKey)
      }
    },
  }
}
