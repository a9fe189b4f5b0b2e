import { expect } from '@playwright/test'
import { DisputesPage } from '../pages/disputes.ts'
import { FirstRun } from '../pages/shell.ts'
import { test } from '../support/harness.ts'
import { claimAll } from '../support/disputes.ts'
import { openLiveProxy } from '../support/live-proxy.ts'
import { Shop } from '../support/shop.ts'

test(
  'lists disputes of two shops, refunds a LIVE one of the other shop once, and saves lists per shop',
  { tag: '@long' },
  async ({ harness, page }) => {
    test.setTimeout(180_000)
    const shop = await Shop.open(harness, { limits: true })
    const { service, key } = shop
    const { key: otherKey } = await shop.newSeller('Amber')
    const door = await openLiveProxy(service.baseUrl)
    const [id = ''] = await claimAll(service, otherKey, 1)
    const disputes = new DisputesPage(page)
    const first = new FirstRun(page)
    const filter = page.getByRole('button', { name: 'Filter', exact: true })
    const dialog = page.getByRole('dialog')

    await test.step('connect both shops; one list shows both, each row with its shop', async () => {
      await page.goto(await harness.start())
      await first.connect(key, service.baseUrl, 'Kestrel Keys')
      await disputes.act('Connect an account')
      await first.connect(otherKey, door.baseUrl, 'Amber')
      await page.keyboard.press('Control+1')
      await expect(
        page.getByRole('button', { name: /^Kestrel Keys .*Switch account$/ }),
      ).toBeVisible()
      await disputes.goThere()
      await expect(disputes.list.getByRole('button').first()).toBeVisible({ timeout: 30_000 })
      await expect(disputes.list.getByText('Amber LIVE ·')).toHaveCount(0)
      await filter.click()
      await page.getByRole('menuitemcheckbox', { name: 'All seller accounts together' }).click()
      await page.keyboard.press('Escape')
      await expect(disputes.list.getByText('Amber LIVE ·')).toHaveCount(1, { timeout: 30_000 })
      await expect(disputes.list.getByText('Kestrel Keys SANDBOX ·').first()).toBeVisible()
    })
    await test.step('the button for the other shop’s refund stays disabled until the amount is typed', async () => {
      await disputes.list.getByRole('button').filter({ hasText: 'Amber LIVE ·' }).click()
      await expect(page.getByText(id, { exact: true })).toBeVisible()
      await page.keyboard.press('f')
      await expect(dialog.getByText('LIVE', { exact: true })).toBeVisible()
      await expect(dialog.getByText('Amber', { exact: true })).toBeVisible()
      const wanted = dialog.locator('label b')
      await expect(wanted).toHaveText(/^\d+\.\d\d$/, { timeout: 30_000 })
      const refund = dialog.getByRole('button', { name: /^Refund/ })
      await expect(refund).toBeDisabled()
      await page.keyboard.type('9999.99')
      await expect(refund).toBeDisabled()
      await page.keyboard.press('Control+Enter')
      expect(
        ((await service.seller(otherKey, 'GET', `/disputes/${id}`)) as { status: string }).status,
      ).toBe('open')
      await page.keyboard.press('Control+a')
      await page.keyboard.type((await wanted.textContent()) ?? '')
      await expect(refund).toBeEnabled()
      await page.keyboard.press('Control+Enter')
      await expect(dialog).toBeHidden({ timeout: 30_000 })
      expect(await service.seller(otherKey, 'GET', `/disputes/${id}`)).toMatchObject({
        status: 'resolved',
        resolution: { type: 'refunded' },
      })
    })
    await test.step('the linked sale opens in its own shop', async () => {
      await page
        .getByRole('complementary', { name: 'About this sale' })
        .getByRole('link', { name: 'Offer', exact: true })
        .click()
      await expect(page.getByRole('button', { name: /^Amber .*Switch account$/ })).toBeVisible()
      await expect(page.getByRole('complementary').last()).toContainText('You receive')
      await page.keyboard.press('Control+1')
      await expect(
        page.getByRole('button', { name: /^Kestrel Keys .*Switch account$/ }),
      ).toBeVisible()
      await disputes.goThere()
    })
    await test.step('a saved list appears only for its shop', async () => {
      await filter.click()
      await page.getByRole('menuitem', { name: 'Save this view…' }).click()
      await dialog.getByLabel('Name').fill('Mornings')
      await page.keyboard.press('Enter')
      await expect(dialog).toBeHidden()
      await filter.click()
      await expect(page.getByRole('menuitem', { name: 'Mornings', exact: true })).toBeVisible()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+2')
      await expect(page.getByRole('button', { name: /^Amber .*Switch account$/ })).toBeVisible()
      await disputes.goThere()
      await filter.click()
      await expect(page.getByRole('menuitem', { name: 'Needs an answer' })).toBeVisible()
      await expect(page.getByRole('menuitem', { name: 'Mornings', exact: true })).toHaveCount(0)
    })
    await door.close()
  },
)
