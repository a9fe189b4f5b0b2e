import { expect } from '@playwright/test'
import { FirstRun, Shell } from '../pages/shell.ts'
import { watchCalls } from '../support/calls.ts'
import { test } from '../support/harness.ts'

test('says that overview parts load instead of that nothing is there @long', async ({
  harness,
  page,
}) => {
  const calls = await watchCalls(page)
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  const shell = new Shell(page)
  const part = (name: string) =>
    page
      .locator('section, figure')
      .filter({ has: page.getByText(name, { exact: true }) })
      .last()
  const reload = async (...held: string[]): Promise<void> => {
    calls.hold(...held)
    await page.reload()
    await expect.poll(calls.held).toBeGreaterThanOrEqual(held.length)
  }
  const loads = async (...names: string[]): Promise<void> => {
    for (const name of names) {
      await expect(part(name)).toContainText('Loading…')
      await expect(part(name)).not.toContainText(/No |records its history/)
    }
    calls.release()
    for (const name of names) await expect(part(name)).not.toContainText('Loading…')
  }

  await test.step('a shop', async () => {
    await shell.open('Today')
    await reload('/balance/now', '/sales/earned', '/priceWatch/overview', '/disputes/alarms')
    await loads('Next releases', 'Earned in 30 days', 'Share of leads, 24 hours')
  })
  await test.step('support', async () => {
    await reload('/disputes/alarms')
    await page.getByRole('button', { name: 'Support', exact: true }).click()
    await expect(page.getByLabel('Disputes today')).toBeVisible()
    await loads('Batches in alarm')
  })
  await test.step('the balance of sales', async () => {
    await shell.open('Sales')
    await reload('/balance/history', '/balance/now')
    await expect(page.getByLabel('Balance and earnings')).toContainText(/Available– ?Pending– /)
    await loads('Balance, 90 days')
  })
  await test.step('a partner', async () => {
    await shell.switchTo('Demo partner')
    await shell.open('Today')
    await reload('/claims/list', '/spending/spent', '/spending/balance')
    await loads('Open claims', 'Ordered most, 30 days', 'Paid in 30 days, EUR', 'Balance over time')
  })
})
