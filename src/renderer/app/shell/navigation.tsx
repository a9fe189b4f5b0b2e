import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import type { Account } from '../../../contract/app/accounts.ts'
import { useServiceConnection } from '../../lib/account/service-connection.ts'
import { useQueuedCount } from '../../lib/account/outbox.ts'
import { api } from '../../lib/core/rpc.ts'
import { formatCount } from '../../ui/format.ts'
import { AccountSwitcher } from '../accounts/account-switcher.tsx'
import { type AppPage, pagesOf, settingsPage } from '../pages/pages.ts'
import { isCurrentPage } from '../pages/current-page.ts'
import { useScreen } from './screen-store.ts'
import styles from './shell.module.css'

/** Whether the navigation shows icons only: the user's choice, or by default below 1280 px. */
export function useIsCollapsed(): boolean {
  const narrow =
    useMediaQuery('(max-width: 1279px)', window.innerWidth < 1280, {
      getInitialValueInEffect: false,
    }) ?? false
  const chosen = useScreen((screen) => screen.folded)
  return chosen ?? narrow
}

/**
 * The sidebar, 232 px wide or 56 px when collapsed: the account, the pages of its role with counts,
 * and the settings.
 */
export function Navigation({
  accounts,
  account,
}: {
  accounts: readonly Account[]
  account: Account
}) {
  const folded = useIsCollapsed()
  const [path] = useLocation()
  const counts = useServiceConnection(account)?.counts
  const waiting = useQueuedCount(account.id)
  const jobs = useQuery(api.app.jobs.queryOptions()).data ?? []
  const upload = jobs.find(
    (job) =>
      job.kind === 'key-import' &&
      job.accountId === account.id &&
      job.total !== null &&
      job.total > 0,
  )
  const besideOf = (page: AppPage): string | null => {
    if (page.id === 'import')
      return upload === undefined || upload.total === null
        ? null
        : `${Math.floor((upload.done / upload.total) * 100)} %`
    if (page.id === 'outbox') return waiting === 0 ? null : formatCount(waiting)
    const count = page.count === undefined ? null : (counts?.[page.count] ?? null)
    return count === null || (page.id === 'disputes' && count === 0) ? null : formatCount(count)
  }
  const pages = pagesOf(account.role)
  const groups = [...new Set(pages.map((page) => page.group))]
  return (
    <nav className={styles.navigation} data-folded={folded || undefined} aria-label="Pages">
      <AccountSwitcher accounts={accounts} account={account} folded={folded} />
      <div className={styles.groups}>
        {groups.map((group) => (
          <div key={group ?? 'main'} className={styles.group}>
            {group === null ? null : <div className={styles.groupName}>{group}</div>}
            {pages
              .filter((page) => page.group === group)
              .map((page) => (
                <Item
                  key={page.id}
                  page={page}
                  on={isCurrentPage(page, path)}
                  beside={besideOf(page)}
                  wants={page.id === 'outbox' || page.id === 'disputes'}
                  folded={folded}
                />
              ))}
          </div>
        ))}
      </div>
      <div className={styles.foot}>
        <Item
          page={settingsPage}
          on={isCurrentPage(settingsPage, path)}
          beside={null}
          folded={folded}
        />
      </div>
    </nav>
  )
}

/** @param wants - Whether the count next to the name needs attention. */
function Item({
  page,
  on,
  beside,
  wants = false,
  folded,
}: {
  page: AppPage
  on: boolean
  beside: string | null
  wants?: boolean
  folded: boolean
}) {
  const Icon = page.icon
  const link = useRef<HTMLAnchorElement>(null)
  // In a low window, the list of pages scrolls.
  useEffect(() => {
    if (on) link.current?.scrollIntoView({ block: 'nearest' })
  }, [on, folded])
  return (
    <Link
      ref={link}
      href={page.path}
      className={styles.item}
      aria-current={on ? 'page' : undefined}
      title={folded ? page.name : undefined}
    >
      <Icon size={16} stroke={1.6} aria-hidden />
      <span>{page.name}</span>
      {beside === null ? null : <small data-wants={wants || undefined}>{beside}</small>}
    </Link>
  )
}
