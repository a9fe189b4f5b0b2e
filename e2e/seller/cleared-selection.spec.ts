import { expect } from '@playwright/test'
import { CataloguePage, OffersPage } from '../pages/seller.ts'
import { FirstRun } from '../pages/shell.ts'
import { test } from '../support/harness.ts'

test('leads back to a selection that another search cleared @long', async ({ harness, page }) => {
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  const catalogue = new CataloguePage(page)
  const selected = page.getByRole('toolbar', { name: /selected$/ })
  const back = page.getByRole('button', { name: 'Back to selection' })
  const select = async (rows: number): Promise<void> => {
    await expect(catalogue.table).toHaveAttribute('aria-busy', 'false')
    for (let row = 1; row <= rows; row += 1)
      await catalogue.table.getByRole('row').nth(row).locator('[data-check]').click()
    await expect(selected).toHaveAccessibleName(`${rows} selected`)
  }
  await catalogue.open('Catalogue')
  await catalogue.isComplete(2000)
  await select(3)
  await catalogue.search('on')
  await expect(selected).toBeHidden()
  await expect(page.getByText('3 rows deselected')).toBeVisible()
  await back.click()
  await expect(page.getByRole('searchbox', { name: 'Search the catalogue' })).toHaveValue('')
  await expect(selected).toHaveAccessibleName('3 selected')
  await expect(back).toBeHidden()

  await test.step('restores the selection also if its list was shown again by hand', async () => {
    await catalogue.search('on')
    await expect(back).toBeVisible()
    await catalogue.search('')
    await expect(selected).toBeHidden()
    await back.click()
    await expect(selected).toHaveAccessibleName('3 selected')
    await expect(back).toBeHidden()
    await page.getByRole('button', { name: 'Clear the selection' }).click()
    await select(1)
    await catalogue.search('on')
    await catalogue.search('')
    await expect(catalogue.table).toHaveAttribute('aria-busy', 'false')
    await expect(selected).toBeHidden()
    await page.keyboard.press('Escape')
  })
  await test.step('a selection in the new list is kept', async () => {
    await select(3)
    await catalogue.search('on')
    await expect(back).toBeVisible()
    await select(1)
    await expect(back).toBeHidden()
    await catalogue.search('')
    await expect(selected).toBeHidden()
    await select(1)
  })
  await test.step('two rows are selected again quickly, so nothing is reported', async () => {
    await page.getByRole('button', { name: 'Clear the selection' }).click()
    await select(2)
    await catalogue.search('on')
    await expect(selected).toBeHidden()
    await expect(back).toBeHidden()
  })
  await test.step('the toast closes with its page', async () => {
    await select(4)
    await catalogue.search('')
    await expect(back).toBeVisible()
    await catalogue.open('Offers')
    await expect(back).toBeHidden()
  })
})

test('leads back to the sort order in which the selection was made @long', async ({
  harness,
  page,
}) => {
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  const offers = new OffersPage(page)
  await offers.open('Offers')
  await expect(offers.table).toHaveAttribute('aria-busy', 'false')
  const price = offers.table.getByRole('columnheader', { name: /^Price/ })
  await price.click()
  await expect(price).toHaveAttribute('aria-sort', /cending$/)
  await expect(offers.table).toHaveAttribute('aria-busy', 'false')
  for (const row of [1, 2, 3])
    await offers.table.getByRole('row').nth(row).locator('[data-check]').click()
  await page.getByRole('button', { name: /^Empty/ }).click()
  await page.getByRole('button', { name: 'Back to selection' }).click()
  await expect(page.getByRole('toolbar', { name: /selected$/ })).toHaveAccessibleName('3 selected')
  await expect(price).toHaveAttribute('aria-sort', /cending$/)
})
