import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Account } from '../../../contract/app/accounts.ts'
import { useAccountNow } from '../../lib/account/account-time.tsx'
import { useAccount } from '../../lib/account/current-account.ts'
import { api } from '../../lib/core/rpc.ts'
import { CountTabs } from '../../ui/layout/count-tabs.tsx'
import { Body, Page, PageHeader, SidePanel } from '../../ui/layout/page.tsx'
import { oneOf, useListSettings } from '../../ui/table/saved/list-settings.ts'
import { AllAccountsGlance, AllAccountsToday } from './all-accounts/all-accounts.tsx'
import { FirstSteps } from './first-steps-card.tsx'
import { MarkAllRead, MarkRead, useLastVisit } from './last-visit.tsx'
import { PartnerGlance, PartnerToday } from './partner/partner-today.tsx'
import { SellerGlance, SellerToday } from './seller/seller-today.tsx'
import { SupportGlance, SupportToday } from './seller/support-today.tsx'
import styles from './today.module.css'

const viewParts = { view: oneOf(['shop', 'support'], 'shop') }
const scopeParts = { accounts: oneOf(['one', 'all'], 'one') }
const dayFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
})

type View = 'account' | 'shop' | 'support' | 'all'

/**
 * The chosen view and those to choose from. A seller account has two, which it remembers; all
 * accounts together are one choice for the complete data folder.
 */
function useView(accounts: readonly Account[]) {
  const { id, role } = useAccount()
  const [{ view }, keepView] = useListSettings('today-view', id, viewParts)
  const [scope, keepScope] = useListSettings('today-accounts', 'all', scopeParts)
  const hasAll = accounts.length > 1
  const own: View = role === 'seller' ? view : 'account'
  const views: { id: View; label: string }[] = [
    ...(role === 'seller'
      ? ([
          { id: 'shop', label: 'Shop' },
          { id: 'support', label: 'Support' },
        ] as const)
      : ([{ id: 'account', label: 'This account' }] as const)),
    ...(hasAll ? [{ id: 'all', label: 'All accounts' } as const] : []),
  ]
  const shown: View = hasAll && scope.accounts === 'all' ? 'all' : own
  return {
    view: shown,
    views,
    choose: (next: View): void => {
      keepScope({ accounts: next === 'all' ? 'all' : 'one' })
      if (next === 'shop' || next === 'support') keepView({ view: next })
    },
  }
}

/** The first page: open tasks, the day's figures and news, in one account or all. */
export function TodayPage() {
  const account = useAccount()
  const now = useAccountNow()
  const visit = useLastVisit()
  const accounts = useQuery(api.accounts.list.queryOptions()).data ?? [account]
  const { view, views, choose } = useView(accounts)
  const parts: Record<View, { today: ReactNode; glance: ReactNode; actions: ReactNode }> = {
    account: {
      today: <PartnerToday />,
      glance: <PartnerGlance since={visit.since} />,
      actions: <MarkRead {...visit} />,
    },
    shop: {
      today: <SellerToday />,
      glance: <SellerGlance since={visit.since} />,
      actions: <MarkRead {...visit} />,
    },
    support: { today: <SupportToday />, glance: <SupportGlance />, actions: null },
    all: {
      today: <AllAccountsToday accounts={accounts} />,
      glance: <AllAccountsGlance accounts={accounts} />,
      actions: <MarkAllRead accounts={accounts} />,
    },
  }
  const { today, glance, actions } = parts[view]
  const title = view === 'all' ? 'Since your last visit' : 'At a glance'
  // The panel of a narrow window would cover the page.
  const isNarrow = useMediaQuery('(max-width: 1180px)', false, { getInitialValueInEffect: false })
  return (
    <Page
      panel={
        isNarrow ? undefined : (
          <SidePanel title={title} width={304} readOnly>
            {glance}
          </SidePanel>
        )
      }
    >
      <PageHeader
        title="Today"
        beside={
          <>
            {isNarrow || view === 'all' ? null : (
              <span className={styles.date}>{dayFormat.format(now)}</span>
            )}
            {views.length > 1 ? (
              <CountTabs label="View" value={view} onChange={choose} tabs={views} />
            ) : null}
          </>
        }
        actions={actions}
      />
      <Body>
        {view === 'all' ? null : <FirstSteps />}
        {today}
        {isNarrow ? <div className={styles.glance}>{glance}</div> : null}
      </Body>
    </Page>
  )
}
