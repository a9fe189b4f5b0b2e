import { useMediaQuery } from '@mantine/hooks'
import { useAccountNow } from '../../lib/account/account-time.tsx'
import { useAccount } from '../../lib/account/current-account.ts'
import { CountTabs } from '../../ui/layout/count-tabs.tsx'
import { Body, Page, PageHeader, SidePanel } from '../../ui/layout/page.tsx'
import { oneOf, useListSettings } from '../../ui/table/saved/list-settings.ts'
import { FirstSteps } from './first-steps-card.tsx'
import { MarkRead, useLastVisit } from './last-visit.tsx'
import { PartnerGlance, PartnerToday } from './partner/partner-today.tsx'
import { SellerGlance, SellerToday } from './seller/seller-today.tsx'
import { SupportGlance, SupportToday } from './seller/support-today.tsx'
import styles from './today.module.css'

const parts = { view: oneOf(['shop', 'support'], 'shop') }
const views = [
  { id: 'shop', label: 'Shop' },
  { id: 'support', label: 'Support' },
] as const
const dayFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
})

/** The first page of an account: what waits, how the day goes, and what is new. */
export function TodayPage() {
  const account = useAccount()
  const now = useAccountNow()
  const visit = useLastVisit()
  const [{ view }, look] = useListSettings('today-view', account.id, parts)
  const sells = account.role === 'seller'
  const supports = sells && view === 'support'
  const glance = supports ? (
    <SupportGlance />
  ) : sells ? (
    <SellerGlance since={visit.since} />
  ) : (
    <PartnerGlance since={visit.since} />
  )
  // The panel of a narrow window would cover the page.
  const isNarrow = useMediaQuery('(max-width: 1180px)', false, { getInitialValueInEffect: false })
  return (
    <Page
      panel={
        isNarrow ? undefined : (
          <SidePanel title="At a glance" width={304} readOnly>
            {glance}
          </SidePanel>
        )
      }
    >
      <PageHeader
        title="Today"
        beside={
          <>
            {isNarrow ? null : <span className={styles.date}>{dayFormat.format(now)}</span>}
            {sells ? (
              <CountTabs
                label="View"
                value={view}
                onChange={(next) => look({ view: next })}
                tabs={views}
              />
            ) : null}
          </>
        }
        actions={supports ? null : <MarkRead {...visit} />}
      />
      <Body>
        <FirstSteps />
        {supports ? <SupportToday /> : sells ? <SellerToday /> : <PartnerToday />}
        {isNarrow ? <div className={styles.glance}>{glance}</div> : null}
      </Body>
    </Page>
  )
}
