import { expect } from '@playwright/test'
import { FirstRun, Shell } from '../pages/shell.ts'
import { watchCalls } from '../support/calls.ts'
import { connectionTo } from '../support/core-connection.ts'
import { test } from '../support/harness.ts'
import { cents } from '../../server/api/money.ts'

test('leads back from a page of movements that fails to load @long', async ({ harness, page }) => {
  const calls = await watchCalls(page)
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  const shell = new Shell(page)
  await shell.switchTo('Demo partner')
  const { rpc, close } = await connectionTo(page)
  const { id: accountId = '' } =
    (await rpc.accounts.list()).find(({ role }) => role === 'partner') ?? {}
  for (let topUp = 0; topUp < 60; topUp += 1)
    await rpc.spending.topUp({ accountId, cents: cents(100) })
  close()
  await shell.open('Balance')
  const movements = page.getByRole('region', { name: 'Movements' })
  const older = movements.getByRole('button', { name: 'Older' })
  const newer = movements.getByRole('button', { name: 'Newer' })
  await expect(older).toBeEnabled()
  await expect(newer).toBeDisabled()
  calls.fail((address, body) => address === '/spending/ledger' && body.includes('"page":2'))
  await older.click()
  await expect(movements.getByRole('alert')).toBeVisible()
  await newer.click()
  await expect(movements.getByRole('alert')).toBeHidden()
  await expect(movements.getByText(/^1 of \d+$/)).toBeVisible()
  calls.fail(null)
  await older.click()
  await expect(movements.getByText(/^2 of \d+$/)).toBeVisible()
})
