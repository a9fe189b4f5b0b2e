import { expect } from '@playwright/test'
import { PriceWatchPage } from './pages/price-watch.ts'
import { SandboxPage } from './pages/sandbox.ts'
import { FirstRun } from './pages/shell.ts'
import { watchCalls } from './support/calls.ts'
import { test } from './support/harness.ts'

test('reports parts of a page that fail to load, once and with a retry @long', async ({
  harness,
  page,
}) => {
  const calls = await watchCalls(page)
  const alerts = page.getByRole('main').getByRole('alert')
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  const failing = async (...addresses: string[]): Promise<void> => {
    calls.fail((address) => addresses.includes(address))
    await page.reload()
  }
  const retry = async (): Promise<void> => {
    calls.fail(null)
    await alerts.getByRole('button', { name: 'Retry now' }).click()
    await expect(alerts).toHaveCount(0)
  }

  await test.step('the preview of a price rule', async () => {
    const watch = new PriceWatchPage(page)
    await watch.open('Price watch')
    await watch.view('Rules')
    calls.fail((address) => address === '/priceWatch/preview')
    await page.getByRole('button', { name: /^New rule/ }).click()
    await expect(page.getByText('Not checked, because the preview failed.')).toBeVisible()
    await expect(alerts).toHaveCount(1)
    await retry()
    await expect(page.getByText('Not checked, because the preview failed.')).toBeHidden()
  })

  const sandbox = new SandboxPage(page)
  await sandbox.open()
  const deliveries = page.getByRole('region', { name: 'Webhook deliveries' })
  await test.step('the partners, for the deliveries', async () => {
    await failing('/sandbox/accounts/partners')
    await expect(deliveries.getByRole('alert')).toBeVisible()
    await expect(deliveries).not.toContainText(/no endpoint|Set an endpoint/)
    await retry()
    await expect(deliveries).toContainText('Set an endpoint')
  })
  await test.step('the endpoint of a partner', async () => {
    await failing('/sandbox/money/webhook')
    await expect(deliveries).toContainText('endpoint unknown')
    await expect(deliveries).not.toContainText('Set an endpoint')
    await retry()
    await expect(deliveries).toContainText('no endpoint')
  })
  await test.step('the faults, which a change would replace', async () => {
    const faults = page.getByRole('region', { name: 'Faults' })
    await failing('/sandbox/control/faults')
    await expect(faults.getByRole('alert')).toBeVisible()
    await expect(faults.getByRole('button', { name: 'As JSON…' })).toBeHidden()
    await retry()
    await expect(faults.getByRole('switch', { name: 'Supplier down' })).toBeVisible()
  })
  await test.step('the partners, for the ledger', async () => {
    await sandbox.part('Ledger')
    await failing('/sandbox/accounts/partners')
    await expect(alerts).toHaveCount(1)
    await expect(page.getByRole('table', { name: 'Ledger entries' })).toBeHidden()
    await retry()
    await expect(page.getByRole('table', { name: 'Ledger entries' })).toBeVisible()
  })
  await test.step('a page that can’t be rendered, which doesn’t hide the others', async () => {
    calls.change('/activity/list', (output: { rows: unknown }) => {
      output.rows = null
    })
    const pages = page.getByRole('navigation', { name: 'Pages' })
    await pages.getByRole('link', { name: /^Activity/ }).click()
    await expect(page.getByRole('heading', { name: 'This page can’t be shown' })).toBeVisible()
    await pages.getByRole('link', { name: /^Offers/ }).click()
    await expect(page.getByRole('grid', { name: 'Offers' })).toBeVisible()
  })
})
