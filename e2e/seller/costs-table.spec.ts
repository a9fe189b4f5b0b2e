import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { cents } from '../../server/api/money.ts'
import { FirstRun } from '../pages/shell.ts'
import { connectionTo } from '../support/core-connection.ts'
import { test } from '../support/harness.ts'
import type { Harness } from '../support/harness.ts'

/** Opens the demo seller's offers, and a connection to read them by. */
async function openOffers(page: Page, harness: Harness) {
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  const { rpc, close } = await connectionTo(page)
  const accountId = (await rpc.accounts.list()).find(({ role }) => role === 'seller')?.id ?? ''
  const offers = async () => (await rpc.offers.list({ accountId, window: { limit: 500 } })).rows
  await expect.poll(async () => (await offers()).length, { timeout: 30_000 }).toBeGreaterThan(5)
  return { rpc, accountId, offers, close }
}

test('saves costs from a table with a preview and a result per line, and Ctrl+Z restores them @long', async ({
  harness,
  page,
}) => {
  const { offers, close } = await openOffers(page, harness)
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

test('sets and clears the cost of checked offers in a dialog that lists them @long', async ({
  harness,
  page,
}) => {
  const { rpc, accountId, offers, close } = await openOffers(page, harness)
  const [first, second] = await offers()
  const offerIds = [first?.offerId ?? '', second?.offerId ?? '']
  const costs = async () =>
    (await rpc.offers.costs({ accountId, offerIds })).rows.map(({ costCents }) => costCents)
  await rpc.offers.setTerms({ accountId, offerIds, costCents: null })
  await rpc.offers.setTerms({ accountId, offerIds: [first?.offerId ?? ''], costCents: cents(250) })
  const dialog = page.getByRole('dialog', { name: 'Cost per key of 2 offers' })
  const open = async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Set the cost per key…' }).click()
  }
  const row = (name: string | undefined) => dialog.getByRole('row').filter({ hasText: name ?? '' })

  await page.getByRole('grid', { name: 'Offers' }).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await open()
  await expect(row(first?.name).first()).toContainText('2.50')
  await expect(row(second?.name).last()).toContainText('–')
  await dialog.getByLabel('Cost per key').fill('3')
  await expect(row(first?.name).first()).toContainText(/2\.50.*3\.00/)
  await dialog.getByRole('button', { name: 'Set cost' }).click()
  await expect(dialog).toBeHidden()
  expect(await costs()).toEqual([300, 300])

  await open()
  await dialog.getByRole('button', { name: 'Clear cost' }).click()
  await expect(dialog).toBeHidden()
  expect(await costs()).toEqual([null, null])
  await open()
  await expect(dialog.getByRole('button', { name: 'Clear cost' })).toBeDisabled()
  close()
})

test('keeps the settings and the typed text of new offers while their table is read @long', async ({
  harness,
  page,
}) => {
  const { offers, close } = await openOffers(page, harness)
  const [first] = await offers()
  close()
  await page.getByRole('button', { name: 'More: export, copy, changes' }).click()
  await page.getByRole('menuitem', { name: 'New offers from a table…' }).click()
  const dialog = page.getByRole('dialog')
  const table = dialog.getByLabel(/^Product id or exact name/)
  const paused = dialog.getByRole('switch', { name: 'Create as paused' })
  const rule = dialog.getByRole('combobox', { name: 'How prices are set' })
  await paused.press('Space')
  await table.click()
  // A table without prices, which then gets one.
  await page.keyboard.type(first?.productId ?? '')
  await expect(page.getByRole('dialog', { name: 'New offers for 1 product' })).toBeVisible()
  await expect(rule).toHaveValue('Shop price minus EUR')
  await page.keyboard.type(',12.50')
  await expect(rule).toHaveValue('Price from the table')
  await expect(table).toHaveValue(`${first?.productId},12.50`)
  await expect(paused).toBeChecked()
})
