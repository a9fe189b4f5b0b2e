import { expect, type Locator } from '@playwright/test'
import { DisputesPage } from '../pages/disputes.ts'
import { PriceWatchPage } from '../pages/price-watch.ts'
import { CataloguePage, OffersPage } from '../pages/seller.ts'
import { FirstRun } from '../pages/shell.ts'
import { watchCalls } from '../support/calls.ts'
import { test } from '../support/harness.ts'

test('checks no row of the previous filter while the rows of the new one load @long', async ({
  harness,
  page,
}) => {
  const calls = await watchCalls(page)
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  const selected = page.getByRole('toolbar', { name: /selected$/ })
  const offers = new OffersPage(page)
  const watch = new PriceWatchPage(page)
  const catalogue = new CataloguePage(page)
  const firstBox = (table: typeof offers.table) =>
    table.getByRole('row').nth(1).locator('[data-check]')
  const isLoaded = async (table: typeof offers.table): Promise<void> => {
    await expect(table).toHaveAttribute('aria-busy', 'false')
    await expect(table.getByRole('row').nth(2)).toBeVisible()
    // A change of the data could read the list again and be kept back instead of the filter's read.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  }
  /** Presses the first row of a list while the list that `change` leads to loads. */
  const ignoresPress = async (
    table: typeof offers.table,
    address: string,
    change: () => Promise<void>,
  ): Promise<void> => {
    await isLoaded(table)
    calls.hold(address)
    await change()
    await expect(table).toHaveAttribute('aria-busy', 'true')
    await firstBox(table).click()
    await expect(table.getByRole('row', { selected: true })).toHaveCount(0)
    await table.focus()
    await page.keyboard.press('x')
    await expect(selected).toBeHidden()
    calls.release()
    await isLoaded(table)
    await expect(selected).toBeHidden()
    await firstBox(table).click()
    await expect(selected).toHaveAccessibleName('1 selected')
    await page.getByRole('button', { name: 'Clear the selection' }).click()
  }

  await test.step('offers', async () => {
    await offers.open('Offers')
    await ignoresPress(offers.table, '/offers/list', () =>
      page.getByRole('button', { name: /^Empty/ }).click(),
    )
  })
  await test.step('a row that is pressed before the new rows and released after them', async () => {
    calls.hold('/offers/list')
    await page.getByRole('button', { name: /^Not cheapest/ }).click()
    await expect(offers.table).toHaveAttribute('aria-busy', 'true')
    await firstBox(offers.table).hover()
    await page.mouse.down()
    calls.release()
    await expect(offers.table).toHaveAttribute('aria-busy', 'false')
    await page.mouse.up()
    await expect(offers.table.getByRole('row', { selected: true })).toHaveCount(0)
    await expect(selected).toBeHidden()
  })
  await test.step('another order of the same filter keeps the selection and its rows', async () => {
    await isLoaded(offers.table)
    await firstBox(offers.table).click()
    calls.hold('/offers/list')
    await offers.table.getByRole('columnheader', { name: /^Price/ }).click()
    await expect(offers.table).toHaveAttribute('aria-busy', 'true')
    await offers.table.getByRole('row').nth(2).locator('[data-check]').click()
    await expect(selected).toHaveAccessibleName('2 selected')
    calls.release()
    await isLoaded(offers.table)
    await expect(selected).toHaveAccessibleName('2 selected')
    await page.getByRole('button', { name: 'Clear the selection' }).click()
  })
  await test.step('catalogue', async () => {
    await catalogue.open('Catalogue')
    await catalogue.isComplete(2000)
    await ignoresPress(catalogue.table, '/catalogue/search', () => catalogue.search('on'))
  })
  await test.step('price watch', async () => {
    await watch.open('Price watch')
    await watch.tab('All')
    await ignoresPress(watch.market, '/priceWatch/market', () =>
      page.getByRole('searchbox').fill('e'),
    )
  })
  await test.step('disputes', async () => {
    const disputes = new DisputesPage(page)
    await disputes.open('Disputes')
    await expect(disputes.list.getByRole('button').nth(1)).toBeVisible()
    calls.hold('/disputes/list')
    await page.getByRole('button', { name: /^Resolved/ }).click()
    await expect.poll(calls.held).toBeGreaterThan(0)
    await disputes.list.getByRole('checkbox').first().click({ force: true })
    const several = page.getByRole('toolbar', { name: 'Selected disputes' })
    await expect(several).toBeHidden()
    calls.release()
    await expect(disputes.list.getByRole('checkbox', { checked: true })).toHaveCount(0)
  })
})

test('says why the list of a new filter is missing instead of keeping the previous rows @long', async ({
  harness,
  page,
}) => {
  const calls = await watchCalls(page)
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  const problem = page.getByRole('alert').filter({ has: page.getByText('Retry now') })
  const failsOnce = async (
    list: Locator,
    address: string,
    change: () => Promise<void>,
  ): Promise<void> => {
    await expect(list).toBeVisible()
    calls.fail((called) => called === address)
    await change()
    await expect(problem).toBeVisible()
    await expect(list).toBeHidden()
    calls.fail(null)
    await expect(async () => {
      // A change of the account can read the list before the press.
      if (await problem.isVisible())
        await problem.getByRole('button', { name: 'Retry now' }).click({ timeout: 1000 })
      await expect(list).toBeVisible()
    }).toPass()
    await expect(problem).toBeHidden()
  }

  const offers = new OffersPage(page)
  await offers.open('Offers')
  await expect(offers.table.getByRole('row').nth(2)).toBeVisible()
  await failsOnce(offers.table, '/offers/list', () =>
    page.getByRole('button', { name: /^Not cheapest/ }).click(),
  )
  await expect(offers.table).toHaveAttribute('aria-busy', 'false')
  await offers.table.getByRole('row').nth(1).locator('[data-check]').click()
  await expect(page.getByRole('toolbar', { name: '1 selected' })).toBeVisible()

  await test.step('words that are longer than a search allows are cut', async () => {
    await page.getByRole('searchbox').fill('e'.repeat(250))
    await expect(page.getByRole('searchbox')).toHaveValue('e'.repeat(200))
    await expect(page.getByRole('button', { name: 'Clear search' })).toBeVisible()
    await expect(problem).toBeHidden()
  })
  await test.step('catalogue, with its filters', async () => {
    const catalogue = new CataloguePage(page)
    await catalogue.open('Catalogue')
    await catalogue.isComplete(2000)
    await failsOnce(catalogue.table, '/catalogue/search', async () => {
      await catalogue.search('on')
      await expect(problem).toBeVisible()
      await expect(page.getByRole('group', { name: 'Filters', exact: true })).toBeVisible()
    })
  })
  await test.step('disputes', async () => {
    const disputes = new DisputesPage(page)
    await disputes.open('Disputes')
    await expect(disputes.list.getByRole('button').nth(1)).toBeVisible()
    await failsOnce(disputes.list, '/disputes/list', () =>
      page.getByRole('button', { name: /^Resolved/ }).click(),
    )
  })
})
