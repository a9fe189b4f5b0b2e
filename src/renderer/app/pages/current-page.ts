import { useLocation } from 'wouter'
import type { Account, Role, SyncedList } from '../../../contract/app/accounts.ts'
import { type AppPage, pagesOf, settingsPage } from './pages.ts'

/** Whether a page or one of its sub-pages is open. */
export const isCurrentPage = (page: AppPage, path: string): boolean =>
  path === page.path || path.startsWith(`${page.path}/`)

/** The page of a role at an address, for example Orders for one of its orders. */
export const currentPage = (role: Role, path: string): AppPage | undefined =>
  [...pagesOf(role), settingsPage].find((page) => isCurrentPage(page, path))

/** The list whose records the open page shows; null for pages that use several or none. */
export function useShownList(account: Account): SyncedList | null {
  const [path] = useLocation()
  return currentPage(account.role, path)?.list ?? null
}
