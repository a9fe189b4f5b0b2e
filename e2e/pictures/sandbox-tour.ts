import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { SandboxPage } from '../pages/sandbox.ts'
import type { Stop } from './stop.ts'

/**
 * The sandbox's own pages, with a fault, an expanded exchange of its log, an open record in each
 * list, and a branch.
 */
export async function sandboxPages(page: Page, at: Stop): Promise<void> {
  const sandbox = new SandboxPage(page)
  await sandbox.open()
  await page.getByRole('button', { name: 'Delivery', exact: true }).click()
  await page.getByRole('button', { name: 'Add fault' }).click()
  await expect(page.getByRole('list', { name: 'Faults' })).toContainText(
    'Delivery fails, any product',
  )
  await page.getByLabel('Show Keydesk’s own requests').check()
  await page.getByRole('button', { name: 'Pause the log' }).click()
  await page
    .getByRole('table', { name: 'Request log' })
    .getByRole('row')
    .nth(2)
    .getByRole('button')
    .first()
    .click()
  await at('sandbox')
  await page.getByRole('button', { name: 'Clear all' }).click()
  for (const [part, label] of [
    ['Accounts and keys', 'Accounts of the sandbox'],
    ['Products', 'Products of the sandbox'],
    ['Claims', 'Claims of the sandbox'],
  ] as const) {
    await sandbox.part(part)
    await (await sandbox.rows(label)).nth(1).click()
    await expect(page.getByRole('complementary').last()).toBeVisible()
    await at(`sandbox-${part.split(' ')[0]?.toLowerCase() ?? ''}`)
  }
  await sandbox.part('Ledger')
  await expect(page.getByText('chain intact')).toBeVisible()
  await at('sandbox-ledger')
  await sandbox.part('Certificate')
  await expect(page.getByRole('button', { name: /^Run certificate/ })).toBeVisible()
  await at('sandbox-certificate')
  await sandbox.part('Worlds')
  await page.getByRole('button', { name: /^New branch/ }).click()
  await expect(sandbox.panel('br_1')).toBeVisible()
  await at('sandbox-worlds')
  await page.getByRole('button', { name: 'Reset…' }).click()
  await at('sandbox-reset')
  await page.keyboard.press('Escape')
}
