import { useLocation } from 'wouter'
import type { Account } from '../../../contract/app/accounts.ts'
import { homePath, pagesOf } from '../pages/pages.ts'
import { useChangeSettings } from '../use-app-state.ts'

/** Switches to an account. The page stays open if the account's role has it too. */
export function useSwitchAccount(): (account: Account) => void {
  const change = useChangeSettings()
  const [path, go] = useLocation()
  return (account) => {
    change({ currentAccountId: account.id })
    const stays =
      path.startsWith('/settings') || pagesOf(account.role).some((page) => page.path === path)
    if (!stays) go(homePath)
  }
}
