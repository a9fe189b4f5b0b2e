import { expect } from '@playwright/test'
import { NewOrderPage, OrderPage } from '../pages/partner.ts'
import { CataloguePage } from '../pages/seller.ts'
import { FirstRun } from '../pages/shell.ts'
import { watchCalls } from '../support/calls.ts'
import { test } from '../support/harness.ts'

test('brings back the order being composed after Order again… or Discard @long', async ({
  harness,
  page,
}) => {
  const calls = await watchCalls(page)
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  const order = new OrderPage(page)
  await order.switchTo('Demo partner')
  await order.placeOne(/^Key\b/)
  const placed = page.url()

  const catalogue = new CataloguePage(page)
  await catalogue.open('Catalogue')
  const names = await catalogue.table.getByRole('row').locator('b').allTextContents()
  const [first = '', second = ''] = [...new Set(names.filter((name) => name !== ''))]
  const composer = new NewOrderPage(page)
  await composer.open('Orders')
  await page.getByRole('button', { name: 'New order' }).first().click()
  await composer.add(first)
  await composer.add(second)
  const most = page.getByRole('textbox', { name: `Maximum price for each ${first}, EUR` })
  await expect(most).not.toHaveValue('')
  await most.fill('123.45')
  const removers = page.getByRole('button', { name: /^Remove / })
  await expect(removers).toHaveCount(2)

  const isRestored = async (): Promise<void> => {
    await expect(removers).toHaveCount(2)
    await expect(removers.first()).toHaveAccessibleName(`Remove ${first}`)
    await expect(most).toHaveValue('123.45')
  }
  await test.step('Order again… says that the order was replaced', async () => {
    await page.goto(placed)
    await page.getByRole('button', { name: 'Order again…' }).click()
    await expect(page.getByText(/^Order draft replaced by /)).toBeVisible()
    await expect(page.getByText('2 lines were removed. Nothing was ordered.')).toBeVisible()
    await expect(removers).toHaveCount(1)
    await page.getByRole('button', { name: /^Undo/ }).click()
    await isRestored()
  })
  await test.step('Discard can be undone by keyboard', async () => {
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(page.getByText('Order draft discarded')).toBeVisible()
    await expect(removers).toHaveCount(0)
    await page.getByRole('heading', { level: 1, name: 'New order' }).click()
    await page.keyboard.press('Control+z')
    await isRestored()
  })
  await test.step('an order in flight is neither ordered again nor discarded', async () => {
    await page.goto(placed)
    await page.getByRole('button', { name: 'Order again…' }).click()
    await expect(removers).toHaveCount(1)
    const place = page.getByRole('button', { name: /^Place .*order/ })
    await expect(place).toBeEnabled()
    calls.hold('/orders/place')
    await composer.place()
    await expect.poll(calls.held).toBe(1)
    await composer.open('Orders')
    await page.getByRole('button', { name: 'New order' }).first().click()
    await expect(removers).toHaveCount(1)
    await expect(place).toHaveAttribute('data-loading', 'true')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('button', { name: 'Discard' })).toBeDisabled()
    calls.release()
    await expect(page.getByText(/^Order \S+-0002 placed$/)).toBeVisible()
    await expect(removers).toHaveCount(0)
  })
})
