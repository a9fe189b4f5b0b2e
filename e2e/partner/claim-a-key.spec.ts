import { expect } from '@playwright/test'
import { OrderPage } from '../pages/partner.ts'
import { FirstRun } from '../pages/shell.ts'
import { test } from '../support/harness.ts'
import { reach } from '../support/keyboard.ts'

test('moves through keys with J, keeps the focus after a dialog, and files a claim with one click @long', async ({
  harness,
  page,
}) => {
  const order = new OrderPage(page)
  const dialog = page.getByRole('dialog')
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  await order.switchTo('Demo partner')
  await order.placeOne(/^Key\b/)
  await page.keyboard.press('d')
  await order.openVault()
  await order.confirmDownload()

  await test.step('J, two tabs and Enter mark a key, and the focus stays in its row', async () => {
    await page.keyboard.press('j')
    await expect(page.getByRole('button', { name: 'Reveal key 1 of line 1' })).toBeFocused()
    const mark = page.getByRole('button', { name: 'Mark key 1 of line 1 as handed over…' })
    expect(await reach(page, mark)).toBe(2)
    await page.keyboard.press('Enter')
    await expect(dialog.getByLabel('Note (optional)')).toBeFocused()
    await page.keyboard.press('Control+Enter')
    await expect(dialog).toBeHidden()
    await expect(
      page.getByRole('button', { name: 'Remove the mark “handed over” from key 1 of line 1' }),
    ).toBeFocused()
  })
  await test.step('a click files the claim, also while the text that was left is being saved', async () => {
    await page.getByRole('button', { name: 'Claim key 1 of line 1…' }).click()
    const text = page.getByRole('textbox', { name: 'What happened' })
    await expect(text).toBeFocused()
    await text.fill('The platform says that this key is already used.')
    await page.getByRole('button', { name: /^File claim/ }).click()
    await expect(
      page.getByRole('complementary').getByText('Claim filed', { exact: true }),
    ).toBeVisible()
  })
})
