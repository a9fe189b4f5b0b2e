import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { FirstRun, Shell } from './pages/shell.ts'
import { test } from './support/harness.ts'

/** Pages with a search field, and whether the demo world has records to find there. */
const pages = {
  'Demo seller': [
    { path: '/offers', filled: true },
    { path: '/catalogue', filled: true },
    { path: '/sales', filled: true },
    { path: '/disputes', filled: true },
    { path: '/watch', filled: true },
    { path: '/activity', filled: true },
    { path: '/batches', filled: false },
    { path: '/outbox', filled: false },
  ],
  'Demo partner': [
    { path: '/orders', filled: true },
    { path: '/keys', filled: false },
    { path: '/sandbox', filled: false },
    { path: '/sandbox/products', filled: true },
    { path: '/sandbox/accounts', filled: true },
  ],
} as const

/** The address, and the number of open panels and rows. */
const opened = async (page: Page): Promise<string> =>
  `${page.url()} ${await page.locator('aside, [data-open]').count()}`

test('searches every list by keyboard: Enter opens the first match, Esc leaves the field @long', async ({
  harness,
  page,
}) => {
  test.setTimeout(180_000)
  const shell = new Shell(page)
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  for (const account of ['Demo seller', 'Demo partner'] as const) {
    await shell.switchTo(account)
    for (const { path, filled } of pages[account])
      await test.step(path, async () => {
        await page.evaluate((hash) => {
          window.location.hash = hash
        }, `#${path}`)
        const field = page.getByRole('searchbox')
        await expect(field).toBeVisible()
        await page.keyboard.press('/')
        await expect(field).toBeFocused()
        await page.keyboard.type('qqzz')
        if (filled) {
          await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible()
          await page.getByRole('button', { name: 'Clear search' }).click()
          await expect(field).toHaveValue('')
          await page.keyboard.press('/')
        }
        await page.keyboard.press('Escape')
        await expect(field).not.toBeFocused()
        const words = await field.inputValue()
        await page.keyboard.press('j')
        await expect(field).toHaveValue(words)
        if (!filled) return
        await page.keyboard.press('Escape')
        await page.keyboard.press('/')
        await expect(field).toBeFocused()
        const before = await opened(page)
        await page.keyboard.press('Enter')
        // The inbox always has a dispute open, which can be the first match.
        if (path !== '/disputes') await expect.poll(() => opened(page)).not.toBe(before)
        else await expect(page).toHaveURL(/\/disputes\/dsp_/)
      })
    await test.step(`the shortcuts of ${account} need no scrolling to the side`, async () => {
      await page.keyboard.press('F1')
      const sheet = page.getByRole('region', { name: 'All shortcuts' })
      await expect(sheet).toBeVisible()
      expect(
        await sheet.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
      ).toBe(0)
      await page.keyboard.press('Escape')
      await expect(sheet).toBeHidden()
    })
  }
})
