import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { PriceWatchPage } from '../pages/price-watch.ts'
import type { Shell } from '../pages/shell.ts'
import type { Stop } from './stop.ts'

/**
 * The price watch in its states: without rules, while writing a rule, proposals with their reasons,
 * decisions, and no simulation yet.
 */
export async function priceWatch(page: Page, shell: Shell, at: Stop): Promise<void> {
  const watch = new PriceWatchPage(page)
  await shell.open('Price watch')
  await expect(watch.market.getByRole('row').nth(1)).toBeVisible()
  await watch.view('Rules')
  await at('price-rules-empty')
  await watch.newRule('0.50')
  await expect(page.getByText('You decide each price')).toBeVisible()
  await page.getByRole('combobox', { name: 'When leading', exact: true }).selectOption('raise')
  await expect(page.getByText('Raising without a ceiling')).toBeVisible()
  for (const edge of ['Starts', 'Ends'])
    await page.getByRole('combobox', { name: edge, exact: true }).selectOption('at')
  await at('price-rule')
  await page.getByRole('button', { name: 'Discard' }).click()
  await watch.view('Market')
  await watch.market.getByRole('row').nth(1).click()
  await expect(page.getByText(/^Why /).first()).toBeVisible()
  await at('price-watch')
  await watch.view('Decisions')
  await watch.decisions.getByRole('row').nth(1).click()
  await at('price-decisions')
  await watch.view('Simulation')
  await at('price-rehearsal')
  await watch.view('Rules')
  await page.getByRole('switch', { name: 'The rule proposes' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Escape')
}
