import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { NewOrderPage } from '../pages/partner.ts'
import { FirstRun, Shell } from '../pages/shell.ts'
import type { ExternalService } from '../support/service.ts'
import type { Stop } from './stop.ts'

/** A reply to several disputes: its text, and what it will do. Starts with disputes selected. */
export async function bulkReplies(page: Page, at: Stop): Promise<void> {
  const dialog = page.getByRole('dialog')
  await page.keyboard.press('r')
  await dialog.getByLabel('Template').selectOption({ label: 'Refund' })
  await expect(dialog.getByRole('textbox').first()).not.toHaveValue('')
  await at('disputes-bulk')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('Before you send')).toBeVisible()
  await at('disputes-bulk-review')
  // Back to the text, then out of the dialog.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

/** An unusual price that is asked about in its row, and the history of changes to undo. */
export async function priceGuard(page: Page, at: Stop): Promise<void> {
  const shell = new Shell(page)
  const grid = page.getByRole('grid', { name: 'Offers' })
  const guard = page.getByRole('alert').filter({ hasText: 'Unusual price' })
  await shell.open('Offers')
  await expect(grid.getByRole('row').nth(1)).toBeVisible()
  await grid.focus()
  await page.keyboard.press('Home')
  await page.keyboard.type('99.00')
  await page.keyboard.press('Enter')
  await expect(guard).toBeVisible()
  await at('price-guard')
  await page.keyboard.press('Control+Enter')
  const question = page.getByRole('dialog', { name: /^Change the price of / })
  await expect(question).toBeVisible()
  await at('price-guard-confirm')
  await page.keyboard.press('Control+Enter')
  await expect(question).toBeHidden()
  await shell.act('Undo history')
  await expect(
    page.getByRole('dialog', { name: 'Undo history' }).getByRole('listitem'),
  ).toHaveCount(1)
  await at('undo-history')
  await page.keyboard.press('Escape')
}

/**
 * An order whose product became more expensive while it was composed, and when it was placed, at a
 * second account of the same service.
 */
export async function movedPrice(
  page: Page,
  at: Stop,
  {
    service,
    sellerKey,
    offerId,
    product,
  }: { service: ExternalService; sellerKey: string; offerId: string; product: string },
): Promise<void> {
  const shell = new Shell(page)
  const most = page.getByRole('textbox', { name: /^Maximum price/ })
  const setPrice = (price: number): Promise<unknown> =>
    service.seller(sellerKey, 'PATCH', `/offers/${offerId}`, { price })
  const { key } = await service.issueKey('partners')
  await shell.act('Connect an account')
  await new FirstRun(page).connect(key, service.baseUrl, 'Kestrel Buys')
  await shell.open('Orders')
  await page.getByRole('button', { name: 'New order' }).first().click()
  await new NewOrderPage(page).add(product)
  await expect(most).not.toHaveValue('')
  await setPrice(40)
  await expect(async () => {
    await shell.open('Activity')
    await shell.open('Orders')
    await page.getByRole('button', { name: 'New order' }).first().click()
    await expect(page.getByText(/^Price moved: /)).toBeVisible({ timeout: 2000 })
  }).toPass()
  await at('price-moved')
  await page.getByRole('button', { name: /^Set maximum to / }).click()
  await setPrice(60)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'the price went up' })).toBeVisible()
  await at('price-rejected')
}
