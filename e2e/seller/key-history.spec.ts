import { expect } from '@playwright/test'
import { FirstRun, Shell } from '../pages/shell.ts'
import { watchCalls } from '../support/calls.ts'
import { test } from '../support/harness.ts'

test('shows no result of the key before, and retries what failed @long', async ({
  harness,
  page,
}) => {
  const calls = await watchCalls(page)
  const shell = new Shell(page)
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  await shell.open('Key history')
  const dialog = page.getByRole('dialog')
  const field = page.getByLabel('A key', { exact: true })
  const notFound = page.getByText('Key not found in any upload from Keydesk')

  await test.step('a key that Keydesk doesn’t know', async () => {
    await field.fill('AAAAA-BBBBB-CCCCC')
    await page.keyboard.press('Enter')
    await shell.openVault()
    await expect(notFound).toBeVisible()
  })
  await test.step('another key that is pasted while the vault is locked isn’t judged', async () => {
    await page.keyboard.press('Control+Shift+L')
    await expect(page.getByText('Vault locked')).toBeVisible()
    await page.evaluate(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', 'DDDDD-EEEEE-FFFFF')
      window.dispatchEvent(new ClipboardEvent('paste', { clipboardData }))
    })
    await expect(dialog.getByRole('heading', { name: 'Unlock the vault' })).toBeVisible()
    await expect(notFound).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Not now' }).click()
    await expect(field).toBeVisible()
  })
  await test.step('Retry now reads the history of the same sale again', async () => {
    calls.fail((address) => address === '/keyHistory/ofSale')
    await page.evaluate(() => {
      location.hash = '#/key-history?sale=sal_1'
    })
    const retry = page.getByRole('main').getByRole('button', { name: 'Retry now' })
    await expect(retry).toBeVisible()
    calls.fail(null)
    await retry.click()
    await expect(page).toHaveURL(/\?sale=sal_1/)
  })
})
