import { useLocation } from 'wouter'
import type { Account, Role } from '../../../contract/app/accounts.ts'
import { currentPage } from '../pages/current-page.ts'
import { homePath, settingsPage } from '../pages/pages.ts'
import { useChangeSettings } from '../use-app-state.ts'

/**
 * Where a switch to an account of this role leads: the same page if the role has it, without the
 * record of the previous account, otherwise the home page.
 */
export function pathAfterSwitch(path: string, role: Role): string {
  const page = currentPage(role, path)
  if (page === undefined) return homePath
  return page === settingsPage ? path : page.path
}

/** Switches to an account. The page stays open if the account's role has it too. */
export function useSwitchAccount(): (account: Account) => void {
  const change = useChangeSettings()
  const [path, go] = useLocation()
  return ({ id, role }) => {
    change({ currentAccountId: id })
    const next = pathAfterSwitch(path, role)
    if (next !== path) go(next)
  }
}
