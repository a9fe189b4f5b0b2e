import { expect } from '@playwright/test'
import { NewOrderPage } from '../pages/partner.ts'
import { FirstRun, Shell } from '../pages/shell.ts'
import { watchCalls } from '../support/calls.ts'
import { createOffer } from '../support/disputes.ts'
import { test } from '../support/harness.ts'
import { ExternalService } from '../support/service.ts'

test('shows a table of orders before it buys, and keeps a result per line for another try @long', async ({
  harness,
  page,
}) => {
  const service = new ExternalService(harness.home, 40, ['--no-limits'])
  await service.start()
  const seller = await service.issueKey('sellers')
  const partner = await service.issueKey('partners')
  const { offerId, productId } = await createOffer(service, seller.key, 'Quarry of Glass')
  await service.seller(seller.key, 'POST', `/offers/${offerId}/keys`, {
    keys: Array.from({ length: 9 }, (_, at) => `WHARF-${10_000 + at}-KEEPS`),
  })
  const setPrice = async (price: number): Promise<void> => {
    await service.seller(seller.key, 'PATCH', `/offers/${offerId}`, { price })
  }
  const ordersThere = async (): Promise<number> =>
    ((await service.partner(partner.key, 'GET', '/orders')) as { total: number }).total
  const calls = await watchCalls(page)
  await page.goto(await harness.start())
  await new FirstRun(page).connect(partner.key, service.baseUrl, 'Kestrel Buys')
  const shell = new Shell(page)
  await shell.open('Orders')
  await page.getByRole('button', { name: 'New order' }).first().click()
  const search = page.getByRole('combobox', { name: 'Add a product' })
  await test.step('a resting mouse chooses no product, and the shortcut works in the search', async () => {
    const box = await search.boundingBox()
    await page.mouse.move((box?.x ?? 0) + 40, (box?.y ?? 0) + 150)
    await search.focus()
    await page.keyboard.type('a')
    const options = page.getByRole('option')
    await expect(options.nth(3)).toBeVisible()
    await expect(options.first()).toHaveAttribute('aria-selected', 'true')
    await page.mouse.move((box?.x ?? 0) + 45, (box?.y ?? 0) + 152)
    await expect(options.first()).toHaveAttribute('aria-selected', 'false')
    await page.keyboard.press('Alt+m')
    await expect(search).toHaveValue('a')
  })
  const dialog = page.getByRole('dialog', { name: 'Orders from a table' })
  const lines = dialog.getByRole('grid', { name: 'Lines to order' })
  const place = dialog.getByRole('button', { name: /^Place \d+ orders?/ })
  const before = await ordersThere()

  await test.step('every line is named, priced and flagged before anything is bought', async () => {
    await dialog
      .getByRole('textbox', { name: 'Table of lines' })
      .fill(`good,${productId},2,\nlow,${productId},1,0.50\nwrong,prd_nothing,1,1`)
    const row = (order: string) => lines.getByRole('row').filter({ hasText: order })
    await expect(row('good')).toContainText('Quarry of Glass')
    await expect(row('good')).toContainText('Steam · Global')
    await expect(row('low')).toContainText('Won’t be placed at the current price')
    await expect(row('wrong')).toContainText('prd_nothing is not in the catalogue')
    await expect(place).toContainText(/^Place 2 orders for at most EUR \d+\.\d\d/)
    await expect(place).not.toBeFocused()
  })

  await test.step('closing the dialog while the prices are read orders nothing', async () => {
    calls.hold('/orders/parseTable')
    await place.click()
    await expect.poll(calls.held).toBe(1)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    calls.release()
    expect(await ordersThere()).toBe(before)
  })

  await test.step('the table is shown again once it has been read again', async () => {
    calls.hold('/orders/parseTable')
    await page.keyboard.press('Alt+m')
    await expect(dialog.getByRole('textbox', { name: 'Table of lines' })).toHaveValue(/^good,/)
    await expect.poll(calls.held).toBe(1)
    await expect(lines).toBeHidden()
    await expect(dialog.getByRole('button', { name: /^Place/ })).toBeDisabled()
    calls.release()
    await expect(place).toBeEnabled()
    await expect(page).toHaveURL(/#\/orders\/new$/)
    expect(await ordersThere()).toBe(before)
  })

  await test.step('a price that changed is shown as old and new, and needs a new press', async () => {
    const shown = await place.textContent()
    await setPrice(6)
    await place.click()
    await expect(dialog.getByText('Nothing was placed')).toBeVisible()
    await expect(
      dialog.getByText(/Quarry of Glass, Steam · Global: \d\.\d\d → \d\.\d\d \(\+50 %\)/),
    ).toBeVisible()
    await expect(place).toBeDisabled()
    expect(await place.textContent()).toContain(shown?.split('Ctrl')[0])
    expect(await ordersThere()).toBe(before)
    await dialog.getByRole('button', { name: 'Show the current table' }).click()
    await place.click()
  })

  const results = page.getByRole('grid', { name: 'Results of the bulk order' })
  await test.step('each line has a result, with the reason and the next step', async () => {
    await expect(results.getByRole('row').filter({ hasText: 'good' })).toContainText('Placed')
    const refused = results.getByRole('row').filter({ hasText: 'low' })
    await expect(refused).toContainText('Rejected')
    await expect(refused).toContainText('Quarry of Glass')
    await expect(refused).toContainText('the price went up')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export results' }).click()
    expect((await download).suggestedFilename()).toBe('results-of-pasted-table.csv')
  })

  await test.step('the results open again after a restart, and failed lines can be retried', async () => {
    await harness.end('SIGKILL')
    await page.goto(await harness.start())
    await test.step('after its key is entered, which two presses of Enter send once', async () => {
      await page.getByRole('button', { name: 'Enter the key…' }).click()
      const keyDialog = page.getByRole('dialog', { name: 'Enter the key' })
      await keyDialog.getByLabel(/Keep the key in memory until Keydesk quits/).check()
      const key = keyDialog.getByLabel('API key')
      await key.fill(partner.key)
      calls.hold('/accounts/rekey')
      await key.press('Enter')
      await key.press('Enter')
      await expect.poll(calls.held).toBeGreaterThan(0)
      calls.release()
      await expect(keyDialog).toBeHidden()
    })
    await shell.open('Orders')
    await expect(page.getByText('API key of Kestrel Buys replaced')).toHaveCount(1)
    await page.getByRole('button', { name: 'Bulk orders' }).click()
    await page.getByRole('menuitem', { name: /pasted table.*1 placed, 1 not placed/ }).click()
    const retry = page.getByRole('button', { name: 'Retry 1 failed line…' })
    await test.step('unless its page is left before the lines arrive', async () => {
      calls.hold('/orders/bulkRetry')
      await retry.click()
      await expect.poll(calls.held).toBe(1)
      await page.keyboard.press('Escape')
      calls.release()
      // The response to a later call has arrived, too.
      await shell.open('Catalogue')
      await expect(
        page.getByRole('grid', { name: 'Products' }).getByRole('row').nth(1),
      ).toBeVisible()
      await shell.open('Orders')
      await expect(page.getByText(/^Your table of orders was replaced/)).toBeHidden()
      await expect(dialog).toBeHidden()
      await page.getByRole('button', { name: 'Bulk orders' }).click()
      await page.getByRole('menuitem', { name: /pasted table.*1 placed, 1 not placed/ }).click()
    })
    // The results of the retry begin with all lines, not with those that weren't placed.
    await page
      .getByRole('group', { name: 'Results' })
      .getByRole('button', { name: /^Not placed/ })
      .click()
    await retry.click()
    await expect(lines.getByRole('row').filter({ hasText: 'low' })).toContainText(
      /0\.50.* changes to \d\.\d\d/,
    )
    await place.click()
    await expect(results.getByRole('row').filter({ hasText: 'low' })).toContainText('Placed')
    expect(await ordersThere()).toBe(before + 2)
    const { balance } = (await service.partner(partner.key, 'GET', '/balance')) as {
      balance: number
    }
    await expect(shell.status).toContainText(`Balance EUR ${balance.toFixed(2)}`)
  })

  await test.step('offline, nothing can be ordered: the reason is shown and the draft is kept', async () => {
    await shell.open('Orders')
    await page.getByRole('button', { name: 'New order' }).first().click()
    await new NewOrderPage(page).add('Quarry of Glass')
    const placeOne = page.getByRole('button', { name: /^Place .*order/ })
    await expect(placeOne).toBeEnabled()
    await expect(page.getByText('of unknown')).toBeHidden()
    await service.stop()
    await shell.act('Sync now')
    await expect(placeOne).toBeDisabled({ timeout: 30_000 })
    await expect(
      page.getByText('This draft is kept. Nothing is ordered until you place it.'),
    ).toBeVisible()
    await expect(page.getByRole('textbox', { name: /^Maximum price/ })).toHaveCount(1)
  })
})
