import { lazy, Suspense } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import type { Account } from '../../../contract/app/accounts.ts'
import { Delayed } from '../../ui/feedback/delayed.tsx'
import { ProgressRing } from '../../ui/feedback/progress-ring.tsx'
import { PageGuard } from '../shell/page-guard.tsx'
import styles from '../shell/shell.module.css'
import { homePath } from './pages.ts'
import { SecretsPage } from '../settings/secrets/secrets-page.tsx'
import { SecurityPage } from '../settings/security/security-page.tsx'
import { SettingsPage } from '../settings/settings-page.tsx'

const loadToday = () => import('../../features/today/today-page.tsx')
/** Loads the home page's code ahead of time, so that it appears as soon as there is an account. */
export const preloadHome = (): void => void loadToday().catch(() => {})
const TodayPage = lazy(async () => ({ default: (await loadToday()).TodayPage }))
const CataloguePage = lazy(async () => ({
  default: (await import('../../features/catalogue/catalogue-page.tsx')).CataloguePage,
}))
const ActivityPage = lazy(async () => ({
  default: (await import('../../features/activity/activity-page.tsx')).ActivityPage,
}))
const OffersPage = lazy(async () => ({
  default: (await import('../../features/offers/offers-page.tsx')).OffersPage,
}))
const ImportPage = lazy(async () => ({
  default: (await import('../../features/key-import/import-page.tsx')).ImportPage,
}))
const BatchesPage = lazy(async () => ({
  default: (await import('../../features/batches/batches-page.tsx')).BatchesPage,
}))
const KeyHistoryPage = lazy(async () => ({
  default: (await import('../../features/key-history/key-history-page.tsx')).KeyHistoryPage,
}))
const OutboxPage = lazy(async () => ({
  default: (await import('../../features/outbox/outbox-page.tsx')).OutboxPage,
}))
const WatchPage = lazy(async () => ({
  default: (await import('../../features/price-watch/watch-page.tsx')).WatchPage,
}))
const DisputesPage = lazy(async () => ({
  default: (await import('../../features/disputes/disputes-page.tsx')).DisputesPage,
}))
const DisputeReportPage = lazy(async () => ({
  default: (await import('../../features/disputes/report/report-page.tsx')).DisputeReportPage,
}))
const SalesPage = lazy(async () => ({
  default: (await import('../../features/sales/sales-page.tsx')).SalesPage,
}))
const OrdersPage = lazy(async () => ({
  default: (await import('../../features/orders/orders-page.tsx')).OrdersPage,
}))
const OrderPage = lazy(async () => ({
  default: (await import('../../features/orders/order/order-page.tsx')).OrderPage,
}))
const BulkResultsPage = lazy(async () => ({
  default: (await import('../../features/orders/bulk/bulk-results-page.tsx')).BulkResultsPage,
}))
const ComposerPage = lazy(async () => ({
  default: (await import('../../features/orders/composer/composer-page.tsx')).ComposerPage,
}))

const KeysPage = lazy(async () => ({
  default: (await import('../../features/orders/keys/keys-page.tsx')).KeysPage,
}))
const ClaimsPage = lazy(async () => ({
  default: (await import('../../features/claims/claims-page.tsx')).ClaimsPage,
}))
const BalancePage = lazy(async () => ({
  default: (await import('../../features/spending/balance-page.tsx')).BalancePage,
}))
const WebhookInspectorPage = lazy(async () => ({
  default: (await import('../../features/webhook-inspector/webhook-inspector-page.tsx'))
    .WebhookInspectorPage,
}))

const SandboxPage = lazy(async () => ({
  default: (await import('../../features/sandbox/sandbox-page.tsx')).SandboxPage,
}))

/** Shown while a page's code loads, which takes a moment only the first time. */
function PageLoading() {
  return (
    <Delayed>
      <p className={styles.loading} role="status">
        <ProgressRing label="Loading" />
        Opening the page
      </p>
    </Delayed>
  )
}

/**
 * The page at the current address for the current account. An address of the other role leads to
 * the home page.
 */
export function PageRoutes({ account }: { account: Account }) {
  const home = <Redirect to={homePath} replace />
  return (
    <PageGuard>
      <Suspense fallback={<PageLoading />}>
        <Switch>
          <Route path="/today">
            <TodayPage />
          </Route>
          <Route path="/settings">
            <SettingsPage />
          </Route>
          <Route path="/settings/security">
            <SecurityPage />
          </Route>
          <Route path="/settings/secrets">
            <SecretsPage />
          </Route>
          <Route path="/activity">
            <ActivityPage />
          </Route>
          <Route path="/sandbox/:view?/:id?">
            {({ view, id }) => <SandboxPage view={view ?? null} id={id ?? null} />}
          </Route>
          <Route path="/catalogue/:productId?">
            {({ productId }) => <CataloguePage productId={productId ?? null} />}
          </Route>
          {account.role === 'partner' ? (
            <Switch>
              <Route path="/orders">
                <OrdersPage />
              </Route>
              <Route path="/orders/new">
                <ComposerPage />
              </Route>
              <Route path="/orders/bulk/:bulkId">
                {({ bulkId }) => <BulkResultsPage bulkId={bulkId} />}
              </Route>
              <Route path="/orders/:orderId">
                {({ orderId }) => <OrderPage orderId={orderId} />}
              </Route>
              <Route path="/keys">
                <KeysPage />
              </Route>
              <Route path="/claims/:claimId?">
                {({ claimId }) => <ClaimsPage claimId={claimId ?? null} />}
              </Route>
              <Route path="/balance">
                <BalancePage />
              </Route>
              <Route path="/webhooks">
                <WebhookInspectorPage />
              </Route>
              <Route>{home}</Route>
            </Switch>
          ) : (
            <Switch>
              <Route path="/offers/:offerId?">
                {({ offerId }) => <OffersPage offerId={offerId ?? null} />}
              </Route>
              <Route path="/outbox/:entryId?">
                {({ entryId }) => <OutboxPage entryId={entryId ?? null} />}
              </Route>
              <Route path="/watch/:view?/:id?">
                {({ view, id }) => <WatchPage view={view ?? null} id={id ?? null} />}
              </Route>
              <Route path="/batches/:batchId?">
                {({ batchId }) => <BatchesPage batchId={batchId ?? null} />}
              </Route>
              <Route path="/disputes/report">
                <DisputeReportPage />
              </Route>
              <Route path="/disputes/:disputeId?">
                {({ disputeId }) => <DisputesPage disputeId={disputeId ?? null} />}
              </Route>
              <Route path="/sales/:saleId?">
                {({ saleId }) => <SalesPage saleId={saleId ?? null} />}
              </Route>
              <Route path="/key-history">
                <KeyHistoryPage />
              </Route>
              <Route path="/import/:importId?">
                {({ importId }) => <ImportPage importId={importId ?? null} />}
              </Route>
              <Route>{home}</Route>
            </Switch>
          )}
        </Switch>
      </Suspense>
    </PageGuard>
  )
}
