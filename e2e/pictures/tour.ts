import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { NewOrderPage, OrderPage } from '../pages/partner.ts'
import { CataloguePage, ImportPage } from '../pages/seller.ts'
import { FirstRun, Shell } from '../pages/shell.ts'
import type { Harness } from '../support/harness.ts'
import { keyFile } from '../support/key-file.ts'
import { batchAlert } from './batch-alert-tour.ts'
import { disputes } from './disputes-tour.ts'
import { bulkOffers, importWithProblems } from './offers-tour.ts'
import { outbox } from './outbox-tour.ts'
import { partnerPages } from './partner-tour.ts'
import { priceWatch } from './price-watch-tour.ts'
import { sandboxPages } from './sandbox-tour.ts'
import { secrets } from './secrets-tour.ts'
import type { Stop } from './stop.ts'

const file = keyFile(11, 30_000, 37, 12)

/** Waits until nothing moves or loads. */
async function waitUntilStill(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  // Toasts disappear automatically, except under the pointer.
  await page.mouse.move(0, 0)
  await expect(page.locator('.mantine-Notification-root')).toHaveCount(0, { timeout: 15_000 })
  await page.evaluate(async () => {
    await document.fonts.ready
  })
}

export type Part = 'seller' | 'partner' | 'alarm'

/**
 * Visits every page of a new data folder in its main states: as the demo seller, then as the demo
 * partner and offline. Each part also runs alone. A batch alert always runs alone, because it uses
 * its own service.
 */
export async function tour(
  harness: Harness,
  page: Page,
  stop: Stop,
  parts: readonly Part[] = ['seller', 'partner'],
): Promise<void> {
  const shell = new Shell(page)
  const at: Stop = async (name) => {
    await waitUntilStill(page)
    await stop(name)
  }
  if (parts.includes('alarm')) return batchAlert(harness, page, at)
  await page.goto(await harness.start())
  await expect(page.getByRole('button', { name: 'Start the sandbox' })).toBeEnabled()
  if (parts.includes('seller')) await at('first-run')
  await new FirstRun(page).startSandbox()
  await shell.open('Catalogue')
  await new CataloguePage(page).isComplete(2000)
  if (parts.includes('seller')) await asSeller(page, shell, at)
  if (!parts.includes('partner')) return
  await shell.switchTo('Demo partner')
  await partner(page, shell, at, !parts.includes('seller'))
  await sandboxPages(page, at)
  await offline(page, shell, at)
}

async function asSeller(page: Page, shell: Shell, at: Stop): Promise<void> {
  await shell.act('Where your secrets are')
  await expect(page.getByText('Not set up', { exact: true })).toBeVisible()
  await at('secrets-unset')
  await shell.open('Catalogue')
  await seller(page, shell, at)
  await importKeys(page, shell, at)
  await disputes(page, at)
  await priceWatch(page, shell, at)
  await sales(page, at)
  await today(page, shell, at)
  await everywhere(page, shell, at)
}

async function seller(page: Page, shell: Shell, at: Stop): Promise<void> {
  const rows = page.getByRole('grid').getByRole('row')
  await page.getByRole('checkbox', { name: /^Steam/ }).check()
  await rows.nth(3).click()
  await expect(page.getByRole('complementary').last()).toBeVisible()
  await at('catalogue')
  await shell.open('Offers')
  await expect(rows.nth(5)).toBeVisible()
  await at('offers')
  // An offer that is behind, so that its price can improve.
  await rows.filter({ hasText: '−' }).nth(1).click()
  await expect(page.getByRole('complementary').last()).toBeVisible()
  await at('offers-panel')
  await page.keyboard.press('Enter')
  const price = page
    .getByRole('textbox', { name: /^Price of .*, EUR$/ })
    .or(page.getByRole('spinbutton', { name: /^Price of .*, EUR$/ }))
  await expect(price.first()).toBeVisible()
  await price.first().fill('9.99')
  await at('offers-editing')
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox', { name: 'Filter these offers' }).fill('nothing is called this')
  await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible()
  await at('offers-no-match')
  await page.getByRole('searchbox', { name: 'Filter these offers' }).fill('')
  await bulkOffers(page, at)
}

async function importKeys(page: Page, shell: Shell, at: Stop): Promise<void> {
  const imports = new ImportPage(page)
  await shell.open('Offers')
  await page
    .getByRole('grid')
    .getByRole('row')
    .filter({ hasText: 'Steam · Global' })
    .filter({ hasNotText: 'Paused' })
    .first()
    .click()
  await page.getByRole('complementary').last().getByRole('button', { name: 'Import keys' }).click()
  await at('import-start')
  await imports.drop('restock.csv', file.csv)
  await expect(page.getByRole('dialog')).toBeVisible()
  await at('passphrase')
  await shell.openVault()
  await imports.isChecked(30_000)
  await at('import-check')
  await imports.upload()
  await page.getByRole('button', { name: /^Pause/ }).click()
  await expect(page.getByText('You paused this upload.')).toBeVisible()
  await at('import-paused')
  await shell.act('Show jobs')
  await expect(page.getByRole('list', { name: 'Jobs' })).toBeVisible()
  await at('jobs')
  await page.getByRole('button', { name: 'Resume Import of Demo seller' }).click()
  await page.keyboard.press('Escape')
  await imports.isReported()
  await at('import-report')
  await shell.open('Import history')
  await page.getByRole('grid', { name: 'Import history' }).getByRole('row').nth(1).click()
  await expect(page.getByRole('complementary').last()).toContainText('in file order')
  await at('import-history')
  await shell.open('Key history')
  await page.getByLabel('A key').fill(file.keys[7] ?? '')
  await page.keyboard.press('Enter')
  await expect(page.getByText('New key', { exact: true })).toBeVisible()
  await at('key-history')
  await importWithProblems(page, at)
}

async function sales(page: Page, at: Stop): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: /^Sales/ })
    .click()
  await page.getByRole('group', { name: 'Releases by day' }).getByRole('button').first().click()
  await expect(page.getByRole('complementary', { name: 'Releases' })).toContainText(/\d+ sales?/)
  await at('sales')
  await page.getByRole('grid', { name: 'Sales' }).getByRole('row').nth(2).click()
  await page.getByRole('button', { name: 'Show as table' }).first().click()
  await at('sale')
}

async function today(page: Page, shell: Shell, at: Stop): Promise<void> {
  await shell.open('Today')
  await expect(page.getByRole('table', { name: 'Needs attention' })).toBeVisible()
  await at('today')
  await page.getByRole('button', { name: 'Support' }).click()
  await expect(page.getByText('First reply, median today')).toBeVisible()
  await at('today-support')
}

async function everywhere(page: Page, shell: Shell, at: Stop): Promise<void> {
  await shell.open('Offers')
  await page.keyboard.press('Control+k')
  await page
    .getByRole('dialog')
    .getByRole('combobox')
    .or(page.getByRole('dialog').getByRole('searchbox'))
    .or(page.getByRole('dialog').getByRole('textbox'))
    .first()
    .fill('tide')
  await expect(
    page.getByRole('option').or(page.getByRole('dialog').getByRole('button')).first(),
  ).toBeVisible()
  await at('palette')
  await page.keyboard.press('Escape')
  await page.keyboard.press('F1')
  await expect(page.getByRole('dialog')).toBeVisible()
  await at('shortcuts')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /Switch account$/ }).click()
  await at('accounts')
  await page.keyboard.press('Escape')
  await shell.open('Settings')
  await at('settings')
  await secrets(page, shell, at)
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: /^Activity/ })
    .click()
  await at('activity')
}

async function partner(page: Page, shell: Shell, at: Stop, newVault: boolean): Promise<void> {
  const order = new OrderPage(page)
  const composer = new NewOrderPage(page)
  await shell.open('Today')
  await at('today-partner')
  await shell.open('Catalogue')
  await page.getByRole('checkbox', { name: /^Steam/ }).check()
  await page.getByRole('checkbox', { name: /^Key\b/ }).check()
  await page.getByRole('checkbox', { name: /^In stock/ }).check()
  const row = page.getByRole('grid').getByRole('row').nth(2)
  await row.click()
  await at('partner-catalogue')
  const product = (await row.locator('b').first().textContent()) ?? ''
  const other =
    (await page.getByRole('grid').getByRole('row').nth(6).locator('b').first().textContent()) ?? ''
  await shell.open('Orders')
  await expect(page.getByRole('grid').getByRole('row').nth(1)).toBeVisible()
  await at('orders')
  await page.getByRole('button', { name: 'New order' }).first().click()
  await composer.add(product)
  for (let more = 1; more < 3; more++)
    await page.getByRole('button', { name: /^More: Units/ }).click()
  await composer.add(other)
  await at('composer')
  await composer.place()
  await expect(page.getByText('Completed')).toBeVisible({ timeout: 15_000 })
  await at('order')
  await order.downloadKeys()
  if (newVault) await shell.openVault()
  await expect(page.getByRole('dialog')).toBeVisible()
  await at('order-download')
  await order.confirmDownload()
  await waitUntilStill(page)
  await order.reveal(1)
  await at('order-keys')
  const place = page.url()
  await partnerPages(page, shell, at)
  await page.goto(place)
}

async function offline(page: Page, shell: Shell, at: Stop): Promise<void> {
  const order = page.url()
  await shell.act('Where your secrets are')
  await page.getByRole('button', { name: 'Unencrypted…' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await at('secrets-export-plain')
  await page.keyboard.press('Escape')
  await shell.open('Settings')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeVisible()
  await page.goto(order)
  await expect(page.getByText(/Offline/).first()).toBeVisible()
  await at('offline-order')
  await shell.open('Catalogue')
  await at('offline-catalogue')
  await outbox(page, shell, at)
}
