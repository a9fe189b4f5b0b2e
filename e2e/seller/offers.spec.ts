import { expect } from '@playwright/test'
import { OffersPage } from '../pages/seller.ts'
import { FirstRun } from '../pages/shell.ts'
import { test } from '../support/harness.ts'
import { ExternalService } from '../support/service.ts'

test('saves a view, shows profit, offers selected products, and withdraws keys into the vault @long', async ({
  harness,
  page,
}) => {
  test.setTimeout(180_000)
  const offers = new OffersPage(page)
  const service = new ExternalService(harness.home, 120)
  await service.start()
  const { key } = await service.issueKey('sellers')
  await page.goto(await harness.start())
  await new FirstRun(page).connect(key, service.baseUrl, 'Kestrel Keys')
  await expect(offers.table.getByRole('row').nth(3)).toBeVisible()

  await test.step('save filters as a view', async () => {
    await page.getByRole('button', { name: /^Not cheapest/ }).click()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('textbox', { name: 'View name' }).fill('Behind')
    await page.getByRole('button', { name: 'Save this view' }).click()
    await expect(page.getByText('View “Behind” saved')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^All/ }).click()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('button', { name: 'Behind', exact: true }).click()
    await expect(page.getByRole('button', { name: /^Not cheapest/ })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await page.getByRole('button', { name: /^All/ }).click()
  })

  await test.step('a closed menu of views no longer renames one', async () => {
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('button', { name: 'Rename Behind' }).click()
    await expect(page.getByRole('textbox', { name: 'New name for Behind' })).toHaveValue('Behind')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Views' }).click()
    await expect(page.getByRole('textbox', { name: 'View name' })).toHaveValue('')
    await page.keyboard.press('Escape')
  })

  await test.step('names have the room of the stock beside a panel in a narrow window', async () => {
    await page.setViewportSize({ width: 960, height: 640 })
    const header = (name: string) => offers.table.getByRole('columnheader', { name })
    await expect(header('Stock')).toBeVisible()
    await offers.table.getByRole('row').nth(1).click()
    await expect(page.getByRole('complementary')).toBeVisible()
    await expect(header('Stock')).toBeHidden()
    const { width = 0 } = (await header('Product').boundingBox()) ?? {}
    expect(width).toBeGreaterThan(240)
    await page.setViewportSize({ width: 1440, height: 900 })
    await expect(header('Stock')).toBeVisible()
  })

  await test.step('show cost and profit', async () => {
    const row = offers.table
      .getByRole('row')
      .filter({ hasText: 'Steam' })
      .filter({ hasNotText: 'Empty' })
      .first()
    await row.click()
    const panel = page.getByRole('complementary')
    await panel.getByLabel('Cost per key').fill('0.01')
    await panel.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(
      panel.getByText('Profit per key').locator('..').getByRole('definition'),
    ).not.toHaveText('–')
  })

  await test.step('withdraw two keys: the vault opens first and then has them', async () => {
    const panel = page.getByRole('complementary')
    const before = await offers.stockInPanel()
    await panel.getByRole('button', { name: 'Withdraw…' }).click()
    await page.getByRole('spinbutton', { name: 'Keys to withdraw' }).fill('2')
    await page.getByRole('button', { name: /^Withdraw 2 keys/ }).click()
    await offers.openVault()
    const keys = page.getByRole('dialog', { name: /^2 keys of/ })
    await expect(keys.getByRole('button', { name: /^Reveal key 1/ })).toBeVisible({
      timeout: 30_000,
    })
    await keys.getByRole('button', { name: /^Reveal key 1/ }).click()
    await expect(keys.getByRole('button', { name: /^Hide key 1/ })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(async () => expect(await offers.stockInPanel()).toBe(before - 2)).toPass()
    await expect(panel.getByText(/2 keys in the vault/)).toBeVisible()
  })

  await test.step('offer products selected in the catalogue for a cent less than the shop', async () => {
    await offers.open('Catalogue')
    const products = page.getByRole('grid', { name: 'Products' })
    await page.getByText('Not sold by me').first().click()
    await products.getByRole('row').nth(1).locator('[data-check]').click()
    await products.getByRole('row').nth(2).locator('[data-check]').click()
    const matching = Number(await products.getAttribute('aria-rowcount')) - 1
    const selected = page.getByRole('toolbar', { name: /selected$/ })
    await expect(selected).toHaveAccessibleName('2 selected')
    await selected.getByRole('button', { name: /^Select all [\d,]+$/ }).click()
    await expect(selected).toHaveAccessibleName(`${matching.toLocaleString('en')} selected`)
    await page.getByRole('button', { name: 'Create offers…' }).click()
    await expect(
      page.getByRole('dialog', {
        name: `New offers for ${matching.toLocaleString('en')} products`,
      }),
    ).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Clear the selection' }).click()
    await products.getByRole('row').nth(1).locator('[data-check]').click()
    await products.getByRole('row').nth(2).locator('[data-check]').click()
    await page.getByRole('button', { name: 'Create offers…' }).click()
    const dialog = page.getByRole('dialog', { name: 'New offers for 2 products' })
    await dialog.getByRole('button', { name: /^Create [12] offers?/ }).click()
    // The catalogue stays open for the next products.
    await expect(page.getByRole('heading', { level: 1, name: 'Catalogue' })).toBeVisible()
    await expect(page.getByText(/^New offers: \d done$/).first()).toBeVisible({ timeout: 30_000 })
  })
  await service.stop()
})
