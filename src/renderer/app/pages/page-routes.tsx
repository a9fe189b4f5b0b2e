import { useEffect } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import type { Account, Role } from '../../../contract/app/accounts.ts'
import { PageGuard } from '../shell/page-guard.tsx'
import { type PageCode, pageCode, preloadWhenIdle } from './page-code.ts'
import { homePath } from './pages.ts'

const today = pageCode(async () => (await import('../../features/today/today-page.tsx')).TodayPage)
/** Loads the home page's code ahead of time, so that it appears as soon as there is an account. */
export const preloadHome = (): void => void today.preload()
const catalogue = pageCode(
  async () => (await import('../../features/catalogue/catalogue-page.tsx')).CataloguePage,
)
const activity = pageCode(
  async () => (await import('../../features/activity/activity-page.tsx')).ActivityPage,
)
const offers = pageCode(
  async () => (await import('../../features/offers/offers-page.tsx')).OffersPage,
)
const keyImport = pageCode(
  async () => (await import('../../features/key-import/import-page.tsx')).ImportPage,
)
const batches = pageCode(
  async () => (await import('../../features/batches/batches-page.tsx')).BatchesPage,
)
const keyHistory = pageCode(
  async () => (await import('../../features/key-history/key-history-page.tsx')).KeyHistoryPage,
)
const outbox = pageCode(
  async () => (await import('../../features/outbox/outbox-page.tsx')).OutboxPage,
)
const watch = pageCode(
  async () => (await import('../../features/price-watch/watch-page.tsx')).WatchPage,
)
const disputes = pageCode(
  async () => (await import('../../features/disputes/disputes-page.tsx')).DisputesPage,
)
const disputeReport = pageCode(
  async () => (await import('../../features/disputes/report/report-page.tsx')).DisputeReportPage,
)
const sales = pageCode(async () => (await import('../../features/sales/sales-page.tsx')).SalesPage)
const orders = pageCode(
  async () => (await import('../../features/orders/orders-page.tsx')).OrdersPage,
)
const order = pageCode(
  async () => (await import('../../features/orders/order/order-page.tsx')).OrderPage,
)
const bulkResults = pageCode(
  async () => (await import('../../features/orders/bulk/bulk-results-page.tsx')).BulkResultsPage,
)
const composer = pageCode(
  async () => (await import('../../features/orders/composer/composer-page.tsx')).ComposerPage,
)

const keys = pageCode(
  async () => (await import('../../features/orders/keys/keys-page.tsx')).KeysPage,
)
const claims = pageCode(
  async () => (await import('../../features/claims/claims-page.tsx')).ClaimsPage,
)
const balance = pageCode(
  async () => (await import('../../features/spending/balance-page.tsx')).BalancePage,
)
const webhookInspector = pageCode(
  async () =>
    (await import('../../features/webhook-inspector/webhook-inspector-page.tsx'))
      .WebhookInspectorPage,
)

const sandbox = pageCode(
  async () => (await import('../../features/sandbox/sandbox-page.tsx')).SandboxPage,
)

const settings = pageCode(async () => (await import('../settings/settings-page.tsx')).SettingsPage)
const security = pageCode(
  async () => (await import('../settings/security/security-page.tsx')).SecurityPage,
)
const secrets = pageCode(
  async () => (await import('../settings/secrets/secrets-page.tsx')).SecretsPage,
)
const settingsPages = [settings, security, secrets]

/** The pages of each role by how often they are opened. */
const preloaded: Record<Role, readonly Pick<PageCode<never>, 'preload'>[]> = {
  seller: [
    today,
    offers,
    disputes,
    sales,
    watch,
    keyImport,
    batches,
    catalogue,
    outbox,
    activity,
    keyHistory,
    disputeReport,
    ...settingsPages,
    sandbox,
  ],
  partner: [
    today,
    catalogue,
    orders,
    keys,
    order,
    composer,
    claims,
    balance,
    activity,
    webhookInspector,
    bulkResults,
    ...settingsPages,
    sandbox,
  ],
}

/**
 * Loads the other pages of the account as soon as its first one is shown. While a page's code loads,
 * nothing handles its keys, so a key pressed right after opening it would be lost.
 */
function PreloadPages({ role }: { role: Role }) {
  useEffect(() => {
    const stop = new AbortController()
    void preloadWhenIdle(preloaded[role], stop.signal)
    return () => stop.abort()
  }, [role])
  return null
}

/**
 * The page at the current address for the current account. An address of the other role leads to
 * the home page.
 */
export function PageRoutes({ account }: { account: Account }) {
  const home = <Redirect to={homePath} replace />
  const [path] = useLocation()
  return (
    <PageGuard place={path}>
      <PreloadPages role={account.role} />
      <Switch>
        <Route path="/today">
          <today.Page />
        </Route>
        <Route path="/settings">
          <settings.Page />
        </Route>
        <Route path="/settings/security">
          <security.Page />
        </Route>
        <Route path="/settings/secrets">
          <secrets.Page />
        </Route>
        <Route path="/activity">
          <activity.Page />
        </Route>
        <Route path="/sandbox/:view?/:id?">
          {({ view, id }) => <sandbox.Page view={view ?? null} id={id ?? null} />}
        </Route>
        <Route path="/catalogue/:productId?">
          {({ productId }) => <catalogue.Page productId={productId ?? null} />}
        </Route>
        {account.role === 'partner' ? (
          <Switch>
            <Route path="/orders">
              <orders.Page />
            </Route>
            <Route path="/orders/new">
              <composer.Page />
            </Route>
            <Route path="/orders/bulk/:bulkId">
              {({ bulkId }) => <bulkResults.Page key={bulkId} bulkId={bulkId} />}
            </Route>
            <Route path="/orders/:orderId">
              {({ orderId }) => <order.Page key={orderId} orderId={orderId} />}
            </Route>
            <Route path="/keys">
              <keys.Page />
            </Route>
            <Route path="/claims/:claimId?">
              {({ claimId }) => <claims.Page claimId={claimId ?? null} />}
            </Route>
            <Route path="/balance">
              <balance.Page />
            </Route>
            <Route path="/webhooks">
              <webhookInspector.Page />
            </Route>
            <Route>{home}</Route>
          </Switch>
        ) : (
          <Switch>
            <Route path="/offers/:offerId?">
              {({ offerId }) => <offers.Page offerId={offerId ?? null} />}
            </Route>
            <Route path="/outbox/:entryId?">
              {({ entryId }) => <outbox.Page entryId={entryId ?? null} />}
            </Route>
            <Route path="/watch/:view?/:id?">
              {({ view, id }) => <watch.Page view={view ?? null} id={id ?? null} />}
            </Route>
            <Route path="/batches/:batchId?">
              {({ batchId }) => <batches.Page batchId={batchId ?? null} />}
            </Route>
            <Route path="/disputes/report">
              <disputeReport.Page />
            </Route>
            <Route path="/disputes/:disputeId?">
              {({ disputeId }) => <disputes.Page disputeId={disputeId ?? null} />}
            </Route>
            <Route path="/sales/:saleId?">
              {({ saleId }) => <sales.Page saleId={saleId ?? null} />}
            </Route>
            <Route path="/key-history">
              <keyHistory.Page />
            </Route>
            <Route path="/import/:importId?">
              {({ importId }) => <keyImport.Page importId={importId ?? null} />}
            </Route>
            <Route>{home}</Route>
          </Switch>
        )}
      </Switch>
    </PageGuard>
  )
}
