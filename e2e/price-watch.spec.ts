import { expect } from '@playwright/test'
import { PriceWatchPage } from './pages/price-watch.ts'
import { FirstRun } from './pages/shell.ts'
import { test } from './support/desk.ts'

test('a rule is written, rehearsed, proposes as the market stands, is approved, and the shop price follows; stopped, nothing more is sent', async ({ desk, page }) => {
  test.setTimeout(150_000)
  const watch = new PriceWatchPage(page)
  await page.goto(await desk.start())
  await new FirstRun(page).startSandbox()
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await expect(page.getByRole('heading', { name: 'Price watch' })).toBeVisible()
  await expect(watch.market.getByRole('row').nth(1)).toBeVisible()
  const losing = await watch.count('Losing')
  expect(losing).toBeGreaterThan(3)

  await watch.view('Rules')
  await watch.newRule('0.50')
  await expect(page.getByText('You decide each price')).toBeVisible()
  await page.getByRole('button', { name: 'Rehearse…' }).click()
  await page.getByRole('spinbutton', { name: 'Days' }).fill('1')
  await page.getByRole('button', { name: 'Rehearse', exact: true }).click()
  await expect(page.getByRole('rowheader', { name: 'Time in the lead' })).toBeVisible({ timeout: 90_000 })
  await expect(page.getByText('The market is invented.')).toBeVisible()

  await watch.view('Market')
  await watch.tab('Proposals')
  const row = watch.market.getByRole('row').nth(1)
  await expect(row).toBeVisible()
  const name = await row.locator('b').first().textContent() ?? ''
  await row.click()
  const panel = page.getByRole('complementary', { name })
  await expect(panel.getByText(/Another offer sells first/)).toBeVisible()
  await page.keyboard.press('a')
  await expect(page.getByText(/Looked at once more, then sent/)).toBeVisible()
  await watch.view('Decisions')
  await page.getByRole('button', { name: 'Sendings' }).click()
  await expect(watch.decisions.getByRole('row').filter({ hasText: name }).filter({ hasText: 'Sent' })).toBeVisible()

  await page.keyboard.press('Control+.')
  await expect(page.getByText(/Prices stopped since/)).toBeVisible()
  await watch.view('Market')
  await watch.tab('Proposals')
  await expect.poll(() => watch.count('Proposals')).toBe(0)
  await watch.tab('Losing')
  await expect(watch.market.getByText('All stopped').first()).toBeVisible()
  await page.getByRole('button', { name: 'Let it go on' }).first().click()
  await expect.poll(() => watch.count('Proposals')).toBeGreaterThan(0)

  await watch.view('Rules')
  await page.getByRole('switch', { name: 'The rule applies by itself' }).focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('dialog').getByText(/change without you/)).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect.poll(async () => { await watch.view('Market'); return watch.count('Losing') }, { timeout: 40_000 }).toBeLessThan(losing - 2)
})
