import { expect, type Locator, type Page } from '@playwright/test'
import { cents } from '../../server/api/money.ts'
import { PriceWatchPage } from '../pages/price-watch.ts'
import { OutboxPage, OffersPage } from '../pages/seller.ts'
import { FirstRun } from '../pages/shell.ts'
import { connectionTo } from '../support/core-connection.ts'
import { test } from '../support/harness.ts'
import { ExternalService } from '../support/service.ts'

test.use({ viewport: { width: 1440, height: 600 } })

/** Makes the first row active, scrolls it away and returns it. */
async function scrollAway(page: Page, grid: Locator): Promise<Locator> {
  await expect(grid).toHaveAttribute('aria-busy', 'false')
  await grid.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('j')
  const record = await grid.locator('[data-current]').getAttribute('data-record')
  const row = grid.locator(`[data-record="${record}"]`)
  await expect(row).toBeInViewport()
  await grid.hover()
  await page.mouse.wheel(0, 1_000)
  await expect(row).toBeHidden()
  return row
}

test('a shortcut for a row that is scrolled away shows the row before it acts @long', async ({
  harness,
  page,
}) => {
  test.setTimeout(120_000)
  const service = new ExternalService(harness.home, 200)
  await service.start()
  const { key } = await service.issueKey('sellers')
  await page.goto(await harness.start())
  await new FirstRun(page).connect(key, service.baseUrl, 'Kestrel Keys')
  const { rpc, close } = await connectionTo(page)
  const accountId = (await rpc.accounts.list())[0]?.id ?? ''
  const list = async () => (await rpc.offers.list({ accountId, window: { limit: 500 } })).rows
  await expect.poll(async () => (await list()).length, { timeout: 30_000 }).toBe(40)
  const paused = async (): Promise<number> =>
    (await list()).filter(({ status }) => status === 'paused').length

  const offers = new OffersPage(page)
  await offers.open('Offers')
  await test.step('U pauses an offer only on the second press', async () => {
    const before = await paused()
    const row = await scrollAway(page, offers.table)
    await page.keyboard.press('u')
    await expect(row).toBeInViewport()
    await expect(page.locator('.mantine-Notification-root')).toHaveCount(0)
    expect(await paused()).toBe(before)
    await page.keyboard.press('u')
    await expect.poll(paused).not.toBe(before)
  })
  await test.step('a digit edits the price in view, and X selects a row in view', async () => {
    const row = await scrollAway(page, offers.table)
    await page.keyboard.press('7')
    await expect(row.getByRole('textbox')).toBeFocused()
    await expect(row.getByRole('textbox')).toHaveValue('7')
    await page.keyboard.press('Escape')
    const other = await scrollAway(page, offers.table)
    await page.keyboard.press('x')
    await expect(other).toBeInViewport()
    await expect(other.getByRole('checkbox')).toBeChecked()
    await page.keyboard.press('x')
  })
  await test.step('A shows the row, and H holds its price only on the second press', async () => {
    const watch = new PriceWatchPage(page)
    await watch.open('Price watch')
    await page.getByRole('button', { name: /^All \d/ }).click()
    const row = await scrollAway(page, watch.market)
    const held = page.getByText(/held for 4 hours$/)
    await page.keyboard.press('a')
    await expect(row).toBeInViewport()
    await scrollAway(page, watch.market)
    await page.keyboard.press('h')
    await expect(row).toBeInViewport()
    expect(await held.count()).toBe(0)
    await page.keyboard.press('h')
    await expect(held).toBeVisible()
    // A would have said so by now.
    expect(await page.getByText('No proposals to apply').count()).toBe(0)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
  await test.step('Delete discards a queued change only on the second press', async () => {
    await service.stop()
    for (const { offerId, status, priceCents } of (await list()).slice(0, 40))
      if (status === 'active')
        await rpc.offers.change({
          accountId,
          offerId,
          expectedPriceCents: priceCents,
          priceCents: cents(priceCents + 1),
        })
    const outbox = new OutboxPage(page)
    await page.evaluate(() => {
      location.hash = '/outbox'
    })
    const waiting = async () => (await rpc.outbox.list({ accountId })).total
    const before = await waiting()
    const row = await scrollAway(page, outbox.table)
    await page.keyboard.press('Delete')
    await expect(row).toBeInViewport()
    expect(await waiting()).toBe(before)
    await page.keyboard.press('Delete')
    await expect.poll(waiting).toBe(before - 1)
  })
  close()
  await service.stop()
})
