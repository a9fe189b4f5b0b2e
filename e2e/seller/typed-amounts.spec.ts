import { expect } from '@playwright/test'
import type { Locator } from '@playwright/test'
import { PriceWatchPage } from '../pages/price-watch.ts'
import { CataloguePage, OffersPage } from '../pages/seller.ts'
import { FirstRun } from '../pages/shell.ts'
import { newAddress } from '../support/address.ts'
import { test } from '../support/harness.ts'

/** Replaces the text of a field, with a render after each key. */
async function typeSlowly(field: Locator, text: string): Promise<void> {
  const page = field.page()
  await field.focus()
  await page.keyboard.press('Control+a')
  for (const character of text) {
    await page.keyboard.press(character)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  }
}

test('a rule’s fields take what is typed one key at a time @long', async ({ harness, page }) => {
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  const watch = new PriceWatchPage(page)
  await watch.open('Price watch')
  await watch.view('Rules')
  await watch.newRule('0.50')
  const editor = page.getByRole('region', { name: 'Rule 1' })
  await editor.getByRole('combobox', { name: 'For', exact: true }).selectOption('filter')
  for (const [label, typed, shown] of [
    ['Never below: amount', '1.25', '1.25'],
    ['Never below: amount', '12', '12.00'],
    ['Undercut by', '0,05', '0.05'],
    ['Wait before going up', '90', '90 h'],
    ['Wait before going up', '15 min', '15 min'],
    // 60 min is shown as 1 h, but 600 are still minutes.
    ['Wait before going up', '600', '10 h'],
    ['Wait before going up', '15 min', '15 min'],
    ['Wait before going up', '120', '2 h'],
    ['Wait before going up', '2 d', '2 d'],
    ['Largest change, percent', '12', '12'],
    ['Customer pays at least', '20.50', '20.50'],
    ['Customer pays at least', ' ', ''],
    ['Skip changes below', '0.5x', '0.50'],
  ] as const) {
    await test.step(`${label}: ${typed}`, async () => {
      const field = editor.getByRole('textbox', { name: label, exact: true })
      await typeSlowly(field, typed)
      await expect(field).toHaveValue(typed)
      await expect(field).toHaveAttribute('aria-invalid', String(typed.endsWith('x')))
      await page.keyboard.press('Tab')
      await expect(field).toHaveValue(shown)
      await expect(field).toHaveAttribute('aria-invalid', 'false')
    })
  }
  await test.step('a focused field shows a value that another window saves', async () => {
    await page.keyboard.press('Control+s')
    await expect(page.getByText('Unsaved changes')).toBeHidden()
    const floor = editor.getByRole('textbox', { name: 'Never below: amount' })
    await floor.focus()
    const other = await page.context().newPage()
    await other.goto(await newAddress(page))
    await expect(other.getByRole('heading', { name: 'Today' })).toBeVisible()
    await other.goto(page.url())
    await other.getByRole('textbox', { name: 'Never below: amount' }).fill('34.50')
    await other.keyboard.press('Control+s')
    await expect(other.getByText('Unsaved changes')).toBeHidden()
    await other.close()
    await expect(floor).toHaveValue('34.50')
  })
})

test('the two fields of a price take what is typed one key at a time @long', async ({
  harness,
  page,
}) => {
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  const offers = new OffersPage(page)
  await offers.open('Offers')
  await offers.table.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary')
  const receive = panel.getByRole('textbox', { name: 'You receive', exact: true })
  const customer = panel.getByRole('textbox', { name: 'Customer pays', exact: true })
  for (const typed of ['0.65', '2.85', '7.07', '12.34', '19.99', '2.80'])
    await test.step(typed, async () => {
      await typeSlowly(customer, typed)
      await expect(customer).toHaveValue(typed)
      const hint = panel.getByText(/^Rounded to EUR /)
      const rounded = (await hint.count()) === 0 ? null : await hint.textContent()
      await typeSlowly(receive, await receive.inputValue())
      const shown = Number(typed).toFixed(2)
      await expect(customer).toHaveValue(rounded?.replace('Rounded to EUR ', '') ?? shown)
      expect(Math.abs(Number(await customer.inputValue()) - Number(typed))).toBeLessThan(0.011)
    })
  // With a commission of 10 %, no price makes the customer pay exactly 2.80.
  await typeSlowly(customer, '2.80')
  await expect(panel.getByText('Rounded to EUR 2.79')).toBeVisible()
  await test.step('an invalid price keeps its text and empties the other field', async () => {
    await typeSlowly(customer, '12x')
    await receive.focus()
    await expect(customer).toHaveValue('12x')
    await expect(customer).toHaveAttribute('aria-invalid', 'true')
    await expect(receive).toHaveValue('')
    await typeSlowly(receive, '3')
    await expect(customer).toHaveAttribute('aria-invalid', 'false')
    await expect(customer).not.toHaveValue('12x')
  })
})

test('a removed price filter also empties its fields @long', async ({ harness, page }) => {
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  const catalogue = new CataloguePage(page)
  await catalogue.open('Catalogue')
  const from = page.getByRole('textbox', { name: 'From' })
  await typeSlowly(from, '12.50')
  await page.getByRole('button', { name: /Price/ }).click()
  await expect(from).toHaveValue('')
})
