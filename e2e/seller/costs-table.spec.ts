import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { FirstRun } from '../pages/shell.ts'
import { connectionTo } from '../support/core-connection.ts'
import { test } from '../support/harness.ts'

test('saves costs from a table with a preview and a result per line, and Ctrl+Z restores them', async ({
  harness,
  page,
}) => {
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  const { rpc, close } = await connectionTo(page)
  const accountId = (await rpc.accounts.list()).find(({ role }) => role === 'seller')?.id ?? ''
  const offers = async () => (await rpc.offers.list({ accountId, window: { limit: 500 } })).rows
  await expect.poll(async () => (await offers()).length, { timeout: 30_000 }).toBeGreaterThan(5)
  const [first, second] = await offers()
  const costs = async () => {
    const rows = await offers()
    return [first, second].map(
      (wanted) => rows.find(({ offerId }) => offerId === wanted?.offerId)?.costCents,
    )
  }
  const before = await costs()
  const dialog = page.getByRole('dialog', { name: 'Costs from a table' })
  const line = (name: string | RegExp) => dialog.getByRole('row', { name })

  await page.getByRole('button', { name: 'More: export, copy, changes' }).click()
  await page.getByRole('menuitem', { name: 'Costs from a table…' }).click()
  await dialog
    .getByLabel(/^Offer or batch id/)
    .fill(`Offer id;Cost EUR\n${first?.offerId};3,21\n${second?.offerId};0.5\nnothing;1`)
  await expect(line(/No offer or batch/)).toContainText('nothing, 1')
  await expect(dialog.getByText('2 to save, 0 unchanged, 1 rejected')).toBeVisible()
  expect(await costs()).toEqual(before)
  await dialog.getByRole('button', { name: 'Save 2 costs' }).click()
  await expect(line(/Saved/)).toHaveCount(2)
  await expect.poll(costs).toEqual([321, 50])
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export CSV' }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  expect(file).toContain(`${first?.offerId},`)
  expect(file).toMatch(/Rejected,No offer or batch/)
  // Another try shows the same table: what was saved is unchanged.
  await dialog.getByRole('button', { name: /^Retry 1/ }).click()
  await expect(dialog.getByText('0 to save, 2 unchanged, 1 rejected')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+z')
  await expect.poll(costs).toEqual(before)
  close()
})
