import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { ImportPage } from '../pages/seller.ts'
import { Shell } from '../pages/shell.ts'
import type { Stop } from './stop.ts'

/**
 * Features for many offers: saved views, a bulk change with its preview and results, and new offers
 * from a table. Starts and finishes on the offers page.
 */
export async function bulkOffers(page: Page, at: Stop): Promise<void> {
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Save this view' })).toBeVisible()
  await at('offers-views')
  await page.keyboard.press('Escape')
  const boxes = page.getByRole('grid', { name: 'Offers' }).locator('[data-check]')
  for (const row of [1, 2, 3]) await boxes.nth(row).click()
  await page.keyboard.press('r')
  await expect(
    page.getByRole('dialog').getByRole('grid', { name: 'Planned changes' }).getByRole('row').nth(1),
  ).toBeVisible()
  await at('bulk-preview')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'View', exact: true }).click()
  await expect(page.getByRole('dialog').getByText('3 of 3 done')).toBeVisible()
  // The pointer stays on the toast that reports the end, and a toast under the pointer stays open.
  await page
    .locator('.mantine-Notification-root')
    .filter({ hasText: '3 done' })
    .getByRole('button', { name: 'Close' })
    .click()
  await at('bulk-results')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More: export, copy, changes' }).click()
  await page.getByRole('menuitem', { name: 'New offers from a table…' }).click()
  await page
    .getByRole('dialog')
    .getByLabel(/^Product id or exact name/)
    .fill('product,price\nnobody sells this,5\n')
  await expect(page.getByText('1 line can’t be read. The other lines are used.')).toBeVisible()
  await at('offers-from-table')
  await page.keyboard.press('Escape')
}

/**
 * A draft of two files: one can't be read, and the other contains a product without an offer. It is
 * discarded afterwards.
 */
export async function importWithProblems(page: Page, at: Stop): Promise<void> {
  await new Shell(page).open('Import keys')
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles([
      {
        name: 'november.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(
          [
            'code;sku',
            ...[1, 2, 3, 4, 5].map(
              (place) => `TOURS-KEY0${place}-ZZZZZ;${place < 4 ? 'SOME' : 'OTHER'}-SKU`,
            ),
            '',
          ].join('\n'),
        ),
      },
      {
        name: 'really-a-zip.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('PK\u0003\u0004\u0000\u0000\u0000\u0000 no keys in here'),
      },
    ])
  await new ImportPage(page).isChecked(5)
  await page.getByRole('button', { name: 'Create offers…' }).click()
  await expect(page.getByRole('dialog').getByRole('row').nth(2)).toBeVisible()
  await at('import-create-offers')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save as profile…' }).click()
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeVisible()
  await at('import-profile')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^really-a-zip\.csv/ }).click()
  await at('import-failed')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('button', { name: 'Discard' })).toBeHidden()
}
