import { expect } from '@playwright/test'
import { NewOrderPage } from '../pages/partner.ts'
import { FirstRun, Shell } from '../pages/shell.ts'
import { createOffer } from '../support/disputes.ts'
import { test } from '../support/harness.ts'
import { ExternalService } from '../support/service.ts'

test(
  'never raises the maximum of an order by itself when the price rises',
  { tag: '@long' },
  async ({ harness, page }) => {
    const service = new ExternalService(harness.home, 40, ['--no-limits'])
    await service.start()
    const seller = await service.issueKey('sellers')
    const partner = await service.issueKey('partners')
    const { offerId } = await createOffer(service, seller.key, 'Quarry of Glass')
    await service.seller(seller.key, 'POST', `/offers/${offerId}/keys`, {
      keys: Array.from({ length: 9 }, (_, at) => `WHARF-${10_000 + at}-KEEPS`),
    })
    const ordersThere = async (): Promise<number> =>
      ((await service.partner(partner.key, 'GET', '/orders')) as { results: unknown[] }).results
        .length
    await page.goto(await harness.start())
    await new FirstRun(page).connect(partner.key, service.baseUrl, 'Kestrel Buys')
    const shell = new Shell(page)
    await shell.open('Orders')
    await page.getByRole('button', { name: 'New order' }).first().click()
    await new NewOrderPage(page).add('Quarry of Glass')
    const most = page.getByRole('textbox', { name: /^Maximum price/ })
    await expect(most).not.toHaveValue('')
    const proposed = await most.inputValue()
    const before = await ordersThere()
    await expect(page.getByRole('row').filter({ has: most })).toContainText('Steam · Global')

    const setPrice = async (price: number): Promise<void> => {
      await service.seller(seller.key, 'PATCH', `/offers/${offerId}`, { price })
    }
    const placeButton = page.getByRole('button', { name: /^Place .*order/ })

    await test.step('a maximum that isn’t a price is never replaced by the former one', async () => {
      await expect(placeButton).toBeEnabled()
      // Pressed before anything that is queued, such as a later render, is handled.
      await most.evaluate(async (field: HTMLInputElement) => {
        const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {}
        field.focus()
        set?.call(field, '12,5o')
        field.dispatchEvent(new InputEvent('input', { bubbles: true }))
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
        field.dispatchEvent(
          new KeyboardEvent('keydown', {
            key: 'Enter',
            ctrlKey: true,
            bubbles: true,
            cancelable: true,
          }),
        )
      })
      await expect(placeButton).toBeDisabled()
      await expect(
        page.getByText('Correct the maximum price of Quarry of Glass · Steam · Global.'),
      ).toBeVisible()
      await most.press('Escape')
      await expect(most).toHaveValue(proposed)
      await expect(placeButton).toBeEnabled()
      expect(await ordersThere()).toBe(before)
    })
    await test.step('a price that moved while the order was composed waits for a decision', async () => {
      await setPrice(40)
      await expect(async () => {
        await shell.open('Activity')
        await shell.open('Orders')
        await page.getByRole('button', { name: 'New order' }).first().click()
        await expect(page.getByText(/^Price moved: \d\.\d\d → \d\d\.\d\d \(\+900 %\)/)).toBeVisible(
          {
            timeout: 2000,
          },
        )
      }).toPass()
      await expect(most).toHaveValue(proposed)
      await expect(placeButton).toBeDisabled()
      await page.keyboard.press('Control+Enter')
      await page
        .getByRole('button', { name: /^Set maximum to \d\d\.\d\d: Quarry of Glass/ })
        .click()
      await expect(placeButton).toBeEnabled()
      expect(await ordersThere()).toBe(before)
    })
    const accepted = await most.inputValue()
    await test.step('a rejection names the product and both prices, and no button pays at once', async () => {
      await setPrice(60)
      await page.keyboard.press('Control+Enter')
      const notice = page.getByRole('alert').filter({ hasText: 'the price went up' })
      await expect(notice).toContainText('Quarry of Glass')
      await expect(notice).toContainText('Steam · Global')
      await expect(notice).toContainText(/\d\d\.\d\d → \d\d\.\d\d \(\+50 %\)/)
      await expect(most).toHaveValue(accepted)
      await expect(placeButton).toBeDisabled()
      await expect(
        notice.getByRole('button', { name: /^Raise the maximum to \d\d\.\d\d each$/ }),
      ).toBeVisible()
      await expect(notice.getByRole('button', { name: 'Keep maximum and wait' })).toBeFocused()
    })
    await test.step('waiting keeps the maximum and reports when the price is back, without ordering', async () => {
      await page.keyboard.press('Enter')
      await expect(page.getByText('Keeping your maximum.')).toBeVisible()
      await expect(most).toHaveValue(accepted)
      await expect(placeButton).toBeDisabled()
      await page.keyboard.press('Control+Enter')
      await setPrice(40)
      await expect(page.getByText('Quarry of Glass is within your maximum again')).toBeVisible()
      await expect(page.getByText('Keeping your maximum.')).toBeHidden()
      await expect(most).toHaveValue(accepted)
      await expect(placeButton).toBeEnabled()
      expect(await ordersThere()).toBe(before)
    })
    await test.step('raising the maximum places nothing', async () => {
      await setPrice(60)
      await page.keyboard.press('Control+Enter')
      await page.getByRole('button', { name: /^Raise the maximum to \d\d\.\d\d each$/ }).click()
      await expect(placeButton).toBeEnabled()
      expect(await ordersThere()).toBe(before)
    })
    await test.step('a new press places the order at the accepted price', async () => {
      await page.keyboard.press('Control+Enter')
      await expect.poll(ordersThere).toBe(before + 1)
    })
    await service.stop()
  },
)
