import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { DisputesPage } from '../pages/disputes.ts'
import type { Stop } from './stop.ts'

/** The dispute inbox in its states, with an open vault. */
export async function disputes(page: Page, at: Stop): Promise<void> {
  const inbox = new DisputesPage(page)
  await inbox.goThere()
  await at('disputes')
  await inbox.next()
  // The templates load a moment after the dispute.
  await expect(async () => {
    await page.keyboard.press('1')
    await expect(inbox.answer).not.toHaveValue('', { timeout: 1_000 })
  }).toPass({ timeout: 15_000 })
  await at('dispute')
  await page.keyboard.press('Escape')
  await page.keyboard.press('f')
  await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible()
  await at('dispute-refund')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('p')
  await expect(
    page.getByRole('dialog').getByRole('textbox', { name: 'Key for the customer' }),
  ).toBeFocused()
  await page.keyboard.type('1.2E+15')
  await expect(page.getByRole('dialog').getByText('A spreadsheet damaged it')).toBeVisible()
  await at('dispute-typed-key')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('t')
  await expect(
    page.getByRole('dialog').getByRole('button', { name: 'New template…' }),
  ).toBeVisible()
  await at('dispute-templates')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: 'Resolved' }).click()
  await inbox.next()
  await at('dispute-resolved')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Report' }).click()
  await expect(page.getByRole('heading', { name: 'By reason' })).toBeVisible()
  await at('dispute-report')
}
