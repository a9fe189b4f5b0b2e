import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { FirstRun, Shell } from '../pages/shell.ts'
import { test } from '../support/harness.ts'
import { openLiveProxy } from '../support/live-proxy.ts'
import { ExternalService } from '../support/service.ts'
import { addYearOfOrders } from '../support/year-of-orders.ts'

const ORDERS = 20_000

test(
  'searches and exports 20,000 orders offline, reads and finds keys, and drafts a LIVE claim as a message',
  { tag: '@long' },
  async ({ harness, page, context }) => {
    test.setTimeout(180_000)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const service = new ExternalService(harness.home, 40)
    await service.start()
    const door = await openLiveProxy(service.baseUrl)
    const { key } = await service.issueKey('partners')
    const { results } = (await service.partner(
      key,
      'GET',
      '/products?inStock=true&deliveryType=key&limit=100',
    )) as { results: { id: string; price: number; qty: number }[] }
    const product = results.find(({ qty }) => qty > 5)
    const { id: orderId } = (await service.partner(key, 'POST', '/orders?wait=10', {
      externalId: 'kept-here',
      items: [{ productId: product?.id, qty: 2, maxUnitPrice: product?.price }],
    })) as { id: string }
    const shell = new Shell(page)
    const orders = page.getByRole('grid', { name: 'Orders' })
    const saved = async (button: string): Promise<string> => {
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: button }).click()
      if (button === 'Save unencrypted') await shell.prove()
      return readFileSync(await (await download).path(), 'utf8')
    }
    const address = await harness.start()
    const openOrder = async (): Promise<void> => {
      await page.goto(`${new URL(address).origin}/#/orders/${orderId}`)
    }
    let values: string[] = []

    await test.step('online: download the keys of an order', async () => {
      await page.goto(address)
      await new FirstRun(page).connect(key, door.baseUrl, 'Northgate')
      await expect(page.getByText('LIVE', { exact: true }).first()).toBeVisible()
      await shell.open('Orders')
      await expect(orders.getByText('kept-here')).toBeVisible({ timeout: 30_000 })
      await openOrder()
      await page.getByRole('button', { name: 'Download keys…' }).click()
      await shell.openVault()
      await page.getByRole('button', { name: 'Download 2 keys' }).click()
      await expect(page.getByRole('button', { name: /^Reveal key/ })).toHaveCount(2)
      const { keys } = (await service.partner(key, 'GET', `/orders/${orderId}/keys`)) as {
        keys: { value: string }[]
      }
      values = keys.map(({ value }) => value)
    })
    await test.step('offline: search and export a year of orders', async () => {
      await door.disconnect()
      await service.stop()
      await shell.act('Sync now')
      await expect(shell.status.getByText(/^Offline/)).toBeVisible({ timeout: 30_000 })
      addYearOfOrders(harness.dataDir, ORDERS)
      await shell.open('Orders')
      await expect(page.getByRole('button', { name: /^All 20,0\d\d$/ })).toBeVisible()
      await expect(page.getByRole('button', { name: /^Failed 1,00\d$/ })).toBeVisible()
      const search = page.getByLabel('Reference, ID or product')
      await search.fill('product yr-199')
      await expect(page.getByRole('button', { name: 'All 111', exact: true })).toBeVisible()
      expect((await saved('Export')).trimEnd().split('\r\n')).toHaveLength(1 + 111)
      await search.fill('yr-19999')
      await expect(orders.getByText('YR-19999')).toBeVisible()
      await expect(page.getByRole('button', { name: 'All 1', exact: true })).toBeVisible()
    })
    await test.step('read and export keys, and find one by pasting it', async () => {
      await openOrder()
      await page.getByRole('button', { name: 'Reveal key 2 of line 1' }).click()
      await expect(page.getByRole('button', { name: 'Hide key 2 of line 1' })).toBeVisible()
      expect(values).toContain(
        await page
          .getByRole('row')
          .filter({ has: page.getByRole('button', { name: 'Hide key 2 of line 1' }) })
          .getByRole('cell')
          .first()
          .textContent(),
      )
      await page.keyboard.press('e')
      const dialog = page.getByRole('dialog', { name: 'Export keys unencrypted' })
      await expect(dialog).toContainText('2 keys of kept-here')
      await expect(dialog.getByRole('button', { name: 'Save unencrypted' })).toBeDisabled()
      await dialog.getByRole('textbox').fill('export unencrypted')
      const table = await saved('Save unencrypted')
      for (const value of values) expect(table).toContain(`,${value},,\r\n`)
      await page
        .getByRole('navigation', { name: 'Pages' })
        .getByRole('link', { name: /^Keys/ })
        .click()
      await page.getByLabel('Search order or product, or paste a key').fill(` ${values[0] ?? ''} `)
      await expect(page.getByRole('grid', { name: 'Keys' }).getByText('kept-here')).toHaveCount(1)
    })
    await test.step('the API accepts no claims: a LIVE claim is a message, saved with its outcome', async () => {
      await openOrder()
      await page.getByRole('button', { name: 'Claim key 1 of line 1…' }).click()
      const panel = page
        .getByRole('complementary')
        .filter({ hasText: 'Send it to the service’s support' })
      await page.getByRole('textbox', { name: 'What happened' }).fill('It says “already used”.')
      await panel.getByRole('button', { name: 'Save draft' }).click()
      await expect(panel.getByText(/It says “already used”\.[^]*/).last()).toBeVisible()
      await panel.getByRole('button', { name: 'Copy text' }).click()
      await expect
        .poll(() => page.evaluate(() => navigator.clipboard.readText()))
        .toContain(orderId)
      const letter = await page.evaluate(() => navigator.clipboard.readText())
      expect(letter).toContain('already used')
      for (const value of values) expect(letter).not.toContain(value)
      await panel.getByRole('button', { name: 'Mark as sent' }).click()
      await panel.getByRole('button', { name: 'Credited' }).click()
      await expect(
        page.getByText('The price of the key was credited to your balance.'),
      ).toBeVisible()
    })
  },
)
