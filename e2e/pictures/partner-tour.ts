import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import type { Shell } from '../pages/shell.ts'
import type { Stop } from './stop.ts'

const forgedRequest = [
  'X-SVC-Event: order.completed',
  'X-SVC-Delivery: dlv_01JTOUR',
  'X-SVC-Signature: t=1700000000,v1=00',
  '',
  '{"id":"evt_01JTOUR","type":"order.completed","data":{"orderId":"ord_01JTOUR"}}',
].join('\n')

/**
 * The partner's pages after an order: its keys, a claim, the balance, and a checked webhook. Starts
 * on the page of an order with its keys.
 */
export async function partnerPages(page: Page, shell: Shell, at: Stop): Promise<void> {
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Mark key 1 of line 1 as handed over…' }).click()
  await expect(dialog.getByLabel('Note (optional)')).toBeFocused()
  await at('key-handed-over')
  await dialog.getByLabel('Note (optional)').fill('Order 1001')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Claim key 2 of line 1…' }).click()
  const text = page.getByRole('textbox', { name: 'What happened' })
  await text.fill('The platform says that this key is already used.')
  await at('claim-draft')
  await page.getByRole('button', { name: /^File claim/ }).click()
  await expect(page.getByRole('complementary').getByText('Claim filed')).toBeVisible()
  await at('claim')
  await page.keyboard.press('Escape')
  await shell.open('Claims')
  await at('claims')
  await shell.open('Keys')
  await expect(page.getByRole('grid', { name: 'Keys' }).getByRole('row').nth(1)).toBeVisible()
  await at('keys')
  await page.getByRole('grid', { name: 'Keys' }).locator('[data-check]').nth(1).click()
  await at('keys-selected')
  await shell.open('Balance')
  await expect(page.getByRole('heading', { name: 'Spending by day' })).toBeVisible()
  await at('balance')
  await shell.open('Webhook inspector')
  await at('webhooks-empty')
  await page.keyboard.press('v')
  await dialog.getByLabel('Request').fill(forgedRequest)
  await at('webhook-paste')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toBeHidden()
  await at('webhooks')
}
