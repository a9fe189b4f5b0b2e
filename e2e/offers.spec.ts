import { expect } from '@playwright/test'
import { OffersPage } from './pages/seller.ts'
import { FirstRun } from './pages/shell.ts'
import { test } from './support/desk.ts'

test('price and status of an offer are changed in place, by keyboard, and taken back', async ({ desk, page }) => {
  const offers = new OffersPage(page)
  await page.goto(await desk.start())
  await new FirstRun(page).startSandbox()
  await page.getByRole('button', { name: /^Not cheapest/ }).click()
  const row = offers.table.getByRole('row').nth(1)
  const name = await row.locator('b').first().textContent() ?? ''
  const ours = offers.table.getByRole('row').filter({ has: page.locator('b').getByText(name, { exact: true }) }).first()
  await page.getByRole('button', { name: /^All/ }).click()
  await page.getByRole('searchbox', { name: 'Filter these offers' }).fill(name)
  await expect(offers.table.getByRole('row').nth(1).locator('b').first()).toHaveText(name)
  await page.keyboard.press('ArrowDown')

  const field = page.getByRole('textbox', { name: `Price of ${name}, EUR` })
  await page.keyboard.press('0')
  await field.fill('0.505')
  await page.keyboard.press('Tab')
  await expect(field, 'a wrong price keeps the focus').toBeFocused()
  await expect(ours.getByText('At most two decimals')).toBeVisible()
  await field.fill('0.50')
  await expect(ours.getByText('0.55').or(ours.getByText('0.58')).or(ours.getByText('0.60'))).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(ours.getByRole('gridcell', { name: '0.50', exact: true })).toBeVisible()
  await expect(page.getByText(/No keys moved/).first()).toBeVisible()

  await page.keyboard.press('u')
  await expect(ours.getByText('Paused')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(ours.getByText('Paused')).toBeHidden()
})
