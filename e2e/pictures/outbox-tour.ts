import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import type { Shell } from '../pages/shell.ts'
import type { Stop } from './stop.ts'

/** Queued changes: while the service is offline, and compared after it is back. */
export async function outbox(page: Page, shell: Shell, at: Stop): Promise<void> {
  await shell.switchTo('Demo seller')
  await shell.open('Offers')
  const rows = page
    .getByRole('grid', { name: 'Offers' })
    .getByRole('row')
    .filter({ hasNotText: 'Paused' })
  for (const [row, cents] of [
    [2, '9.81'],
    [4, '12.34'],
  ] as const) {
    await rows.nth(row).click()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: /^Price of .*, EUR$/ }).fill(cents)
    await page.keyboard.press('Enter')
    await expect(page.getByText(`: ${cents} queued`)).toBeVisible()
  }
  await at('offline-offers')
  await shell.open('Queued changes')
  await expect(page.getByText('Nothing can be sent until the connection is back.')).toBeVisible()
  await at('outbox-offline')
  await shell.open('Settings')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible({
    timeout: 60_000,
  })
  await shell.open('Queued changes')
  await expect(page.getByText(/All 2 were compared with the service at/)).toBeVisible({
    timeout: 30_000,
  })
  await page
    .getByRole('grid', { name: 'Queued changes' })
    .getByRole('row')
    .filter({ has: page.getByText(/^Price ·/) })
    .first()
    .click()
  await expect(page.getByRole('complementary').last()).toBeVisible()
  await at('outbox')
}
