import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { FirstRun } from '../pages/shell.ts'
import { claimAll } from '../support/disputes.ts'
import { test } from '../support/harness.ts'
import { Shop } from '../support/shop.ts'

const numberIn = (text: string | null): number =>
  Number(/[\d,]+(?:\.\d+)?/.exec(text ?? '')?.[0].replaceAll(',', ''))

async function goToday(page: Page): Promise<void> {
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
}

/** The number of records of the list that a link led to. */
async function listed(page: Page): Promise<number> {
  const disputes = page.getByRole('list', { name: 'Disputes' })
  const views = page.locator('main [aria-pressed="true"]', { hasText: /\d/ })
  const grid = page.getByRole('grid')
  const heading = await page.getByRole('heading', { level: 1 }).first().textContent()
  if (heading === 'Disputes') return disputes.getByRole('button').count()
  if (heading === 'Offers' || heading === 'Price watch')
    return numberIn(await views.first().textContent())
  return Number(await grid.first().getAttribute('aria-rowcount')) - 1
}

/** Follows each count of an account to its list, in that account. */
async function followCounts(page: Page, account: string): Promise<string[]> {
  const counts = (): Locator =>
    page
      .getByRole('table', { name: 'Needs attention' })
      .getByRole('rowgroup', { name: `${account}: ` })
      .getByRole('link', { name: /^\d+( empty| low)?$/ })
  await expect(counts().first()).toBeVisible({ timeout: 30_000 })
  const names = await page
    .getByRole('rowgroup', { name: `${account}: ` })
    .evaluateAll((groups) => groups.map((group) => group.getAttribute('aria-label') ?? ''))
  for (const [at, text] of (await counts().allTextContents()).entries()) {
    await counts().nth(at).click()
    await expect(
      page.getByRole('button', { name: new RegExp(`^${account} .*Switch account$`) }),
    ).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeHidden()
    await expect.poll(() => listed(page), { message: `${account} ${text}` }).toBe(numberIn(text))
    await goToday(page)
  }
  return names
}

test(
  'Today of all accounts adds equal money, and each number leads to its list in its account',
  { tag: '@long' },
  async ({ harness, page }) => {
    test.setTimeout(180_000)
    const shop = await Shop.open(harness, { limits: true })
    const { service, key } = shop
    const { key: otherKey } = await shop.newSeller('Amber')
    const { key: partnerKey } = await service.issueKey('partners')
    await claimAll(service, otherKey, 1)
    const first = new FirstRun(page)
    const another = async (): Promise<void> => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('Connect an account')
      await page.getByRole('option', { name: 'Connect an account' }).first().click()
    }
    const all = page
      .getByRole('group', { name: 'View' })
      .getByRole('button', { name: 'All accounts' })
    const sellers = page.getByRole('table', { name: 'Seller accounts' })

    await page.goto(await harness.start())
    await first.connect(key, service.baseUrl, 'Kestrel')
    await goToday(page)
    await expect(all).toHaveCount(0)
    await another()
    await first.connect(otherKey, service.baseUrl, 'Amber')
    await another()
    await first.connect(partnerKey, service.baseUrl, 'Northgate')

    await test.step('the money of both sellers is added; the partner’s isn’t', async () => {
      await goToday(page)
      await all.click()
      const cell = (row: string | RegExp, column: number): Locator =>
        sellers.getByRole('row', { name: row }).getByRole('cell').nth(column)
      for (const [column, name] of ['Earned today', 'Available', 'Pending', 'Held'].entries()) {
        await expect(cell(/^2 accounts/, column + 1), name).toHaveText(/\d/, { timeout: 30_000 })
        const parts = [
          numberIn(await cell('Kestrel', column + 1).textContent()),
          numberIn(await cell('Amber', column + 1).textContent()),
        ]
        const sum = (parts[0] ?? 0) + (parts[1] ?? 0)
        expect(numberIn(await cell(/^2 accounts/, column + 1).textContent()), name).toBeCloseTo(
          sum,
          2,
        )
      }
      const partners = page.getByRole('table', { name: 'Partner accounts' })
      await expect(partners.getByRole('row', { name: 'Northgate' })).toBeVisible()
      await expect(partners.getByRole('row', { name: /accounts/ })).toHaveCount(1)
    })
    await test.step('each count leads to as many records in its account', async () => {
      expect(await followCounts(page, 'Kestrel')).toContain('Kestrel: Stock')
      expect(await followCounts(page, 'Amber')).toContain('Amber: Disputes')
    })
    await test.step('the same without the service, also after a switch of account', async () => {
      await service.stop()
      await page.keyboard.press('Control+1')
      await goToday(page)
      await expect(all).toHaveAttribute('aria-pressed', 'true')
      const amber = page.getByRole('row', { name: /^Amber .*Offline, data as of/ })
      await expect(amber).toBeVisible({ timeout: 60_000 })
      expect(await followCounts(page, 'Amber')).toContain('Amber: Disputes')
    })
    await test.step('J reaches the rows of all accounts, Shift+R marks all as read', async () => {
      await page.keyboard.press('j')
      await expect(page.locator('[data-row] button').first()).toBeFocused()
      await page.getByRole('button', { name: 'Mark all as read' }).click()
      const panel = page.getByRole('complementary', { name: 'Since your last visit' })
      await expect(panel.getByText('0 for EUR 0.00')).toHaveCount(2)
    })
  },
)
