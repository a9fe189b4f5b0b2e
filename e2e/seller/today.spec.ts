import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { FirstRun } from '../pages/shell.ts'
import { test } from '../support/harness.ts'
import { go } from '../support/keyboard.ts'

const goToday = (page: Page): Promise<void> => go(page, 't', 'Today')
const kind = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Needs attention' }).getByRole('rowgroup', { name })
const countOf = async (text: string | null): Promise<number> =>
  Number(/[\d,]+/.exec(text ?? '')?.[0].replaceAll(',', ''))

test(
  'each number of Today leads to a list with as many records, for a seller, support and a partner',
  { tag: '@long' },
  async ({ harness, page }) => {
    await page.goto(await harness.start())
    await new FirstRun(page).startSandbox({ stay: true })
    await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
    await expect(kind(page, 'Stock')).toBeVisible({ timeout: 30_000 })
    const pressed = (label: string) =>
      page.getByRole('group', { name: label }).locator('[aria-pressed="true"]')

    await test.step('stock, lost leads and disputes', async () => {
      for (const [name, link, heading, views] of [
        ['Stock', /empty$/, 'Offers', 'Views'],
        ['Lost leads', /^\d+$/, 'Price watch', 'Offers by state'],
      ] as const) {
        const number = kind(page, name).getByRole('link', { name: link }).first()
        await expect(number).toBeVisible()
        const count = await countOf(await number.textContent())
        expect(count).toBeGreaterThan(0)
        await number.click()
        await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
        const chosen = page.locator('[aria-pressed="true"]', { hasText: /\d/ }).first()
        await expect
          .poll(async () => countOf(await chosen.textContent()), { message: views })
          .toBe(count)
        await goToday(page)
      }
      // Every other number of the stock, also that of the heading.
      const stock = kind(page, 'Stock').getByRole('link', { name: /^\d+( empty| low)?$/ })
      const texts = await stock.allTextContents()
      for (const [at, text] of texts.entries()) {
        await stock.nth(at).click()
        const chosen = page.locator('[aria-pressed="true"]', { hasText: /\d/ }).first()
        const count = await countOf(text)
        await expect
          .poll(async () => countOf(await chosen.textContent()), { message: text })
          .toBe(count)
        await goToday(page)
      }
      const disputes = kind(page, 'Disputes').getByRole('link').first()
      const count = await countOf(await disputes.textContent())
      await disputes.click()
      await expect(page.getByRole('list', { name: 'Disputes' }).getByRole('button')).toHaveCount(
        count,
      )
    })
    await test.step('the sales of today', async () => {
      await goToday(page)
      const figures = page.getByLabel('The shop today')
      const sales = await countOf(
        /(\d+) sales?/.exec((await figures.textContent()) ?? '')?.[1] ?? '0',
      )
      await figures.getByRole('link').first().click()
      const grid = page.getByRole('grid', { name: 'Sales' })
      await expect
        .poll(async () => Number(await grid.getAttribute('aria-rowcount')) - 1)
        .toBe(sales)
    })
    await test.step('keys: J moves to the first row, Enter acts on it', async () => {
      await goToday(page)
      await page.keyboard.press('j')
      await expect(page.getByRole('button', { name: /^Reply: / }).first()).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { level: 1, name: 'Disputes' })).toBeVisible()
    })
    await test.step('support: the queue, and it stays chosen', async () => {
      await goToday(page)
      await page.getByRole('button', { name: 'Support' }).click()
      // Disputes are still arriving: both are read again until they agree.
      await expect(async () => {
        const number = page.getByLabel('Disputes today').getByRole('link').first()
        const count = await countOf(await number.textContent())
        expect(await page.getByRole('button', { name: /^Reply: / }).count()).toBe(count)
      }).toPass({ timeout: 30_000 })
      await page.keyboard.press('j')
      await expect(page.getByRole('button', { name: /^Reply: / }).first()).toBeFocused()
      await page.keyboard.press('j')
      await expect(page.getByRole('button', { name: /^Reply: / }).nth(1)).toBeFocused()
      await go(page, 'o', 'Offers')
      await goToday(page)
      await expect(pressed('View')).toHaveText('Support')
    })
    await test.step('a partner: orders in progress', async () => {
      await page.keyboard.press('Control+2')
      const number = kind(page, 'In progress').getByRole('link').first()
      await expect(number).toBeVisible({ timeout: 30_000 })
      const count = await countOf(await number.textContent())
      await number.click()
      await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible()
      await expect
        .poll(async () =>
          Number(await page.getByRole('grid', { name: 'Orders' }).getAttribute('aria-rowcount')),
        )
        .toBe(count + 1)
    })
  },
)
