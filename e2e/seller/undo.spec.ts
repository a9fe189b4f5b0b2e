import { expect } from '@playwright/test'
import { FirstRun, Shell } from '../pages/shell.ts'
import { connectionTo } from '../support/core-connection.ts'
import { test } from '../support/harness.ts'

test.use({ viewport: { width: 1440, height: 700 } })

test('undoes typed and bulk changes one by one, makes them again, and only those of this account @long', async ({
  harness,
  page,
}) => {
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  const shell = new Shell(page)
  const { rpc, close } = await connectionTo(page)
  const accountId = (await rpc.accounts.list()).find(({ role }) => role === 'seller')?.id ?? ''
  const offers = async () => (await rpc.offers.list({ accountId, window: { limit: 500 } })).rows
  await expect.poll(async () => (await offers()).length, { timeout: 30_000 }).toBeGreaterThan(30)
  await shell.open('Offers')
  const grid = page.getByRole('grid', { name: 'Offers' })
  await grid.focus()
  const first = (await offers()).slice(0, 3)
  const ids = first.map(({ offerId }) => offerId)
  const prices = async () => {
    const all = await offers()
    return ids.map((id) => all.find(({ offerId }) => offerId === id)?.priceCents)
  }
  const before = await prices()
  const after = before.map((cents) => (cents ?? 0) + 1)
  const toasts = page.locator('.mantine-Notification-root')

  await test.step('three typed prices are one toast, which doesn’t cover the rows', async () => {
    await page.keyboard.press('Home')
    for (const cents of after) {
      await page.keyboard.type((cents / 100).toFixed(2))
      await page.keyboard.press('Enter')
    }
    await expect.poll(prices).toEqual(after)
    await expect(toasts).toHaveCount(1)
    await expect(toasts).toContainText('3 prices changed')
    await page.keyboard.press('Escape')
    await page.keyboard.press('End')
    const active = page.locator(`#${await grid.getAttribute('aria-activedescendant')}`)
    await expect(active).toBeInViewport()
    await expect
      .poll(async () => {
        const [toast, row] = [await toasts.boundingBox(), await active.boundingBox()]
        return toast === null || row === null || toast.y + toast.height <= row.y
      })
      .toBe(true)
  })
  await test.step('another account has nothing to undo', async () => {
    const switchTo = async (digit: '1' | '2', name: string) => {
      const { id } = (await rpc.accounts.list()).find((account) => account.name === name) ?? {}
      await page.keyboard.press(`Control+${digit}`)
      await expect
        .poll(async () => (await rpc.app.settings()).currentAccountId, { message: name })
        .toBe(id)
      await expect(
        page.getByRole('button', { name: new RegExp(`^${name} .*Switch account$`) }),
      ).toBeVisible()
    }
    // A toast that is shown while the account changes belongs to the change.
    await page.waitForTimeout(1100)
    await expect(toasts).toHaveCount(1)
    await switchTo('2', 'Demo partner')
    await expect(toasts).toHaveCount(0, { timeout: 1000 })
    await page.keyboard.press('Control+z')
    await switchTo('1', 'Demo seller')
    await shell.open('Offers')
    expect(await prices()).toEqual(after)
  })
  await test.step('Ctrl+Z three times, then Ctrl+Shift+Z', async () => {
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('Control+z')
    await expect.poll(prices).toEqual(before)
    await page.keyboard.press('Control+Shift+z')
    await expect.poll(prices).toEqual([after[0], before[1], before[2]])
  })
  await test.step('the history lists them', async () => {
    await page.keyboard.press('Control+Alt+z')
    const history = page.getByRole('dialog', { name: 'Undo history' })
    await expect(history.getByRole('listitem')).toHaveCount(3)
    await history.getByRole('button', { name: /^Undo ?: / }).click()
    await expect.poll(prices).toEqual(before)
  })
  await test.step('a bulk change: Ctrl+Z asks first, then takes it back', async () => {
    await grid.focus()
    await page.keyboard.press('Home')
    for (let row = 0; row < 3; row += 1) {
      await page.keyboard.press('x')
      await page.keyboard.press('ArrowDown')
    }
    await page.getByRole('button', { name: 'Re-price…' }).last().click()
    const dialog = page.getByRole('dialog', { name: /^Re-price 3 offers/ })
    await dialog.getByText('By amount').click()
    await dialog.getByRole('textbox', { name: 'Amount in EUR' }).fill('0.02')
    // The plan of the amount that the dialog proposed can still be shown.
    await expect(dialog.getByRole('definition').filter({ hasText: '+0.02' })).toHaveCount(2)
    await expect(dialog.getByRole('button', { name: /^Change 3 prices/ })).toBeEnabled()
    await page.keyboard.press('Control+Enter')
    await expect(dialog).toBeHidden()
    await expect.poll(prices).toEqual(before.map((cents) => (cents ?? 0) + 2))
    // The question holds on to the changes that could be undone when it was asked.
    await expect
      .poll(async () => (await rpc.offers.bulk.list({ accountId }))[0]?.state)
      .toBe('done')
    await page.keyboard.press('Control+z')
    const question = page.getByRole('dialog', { name: 'Undo “Prices +0.02”?' })
    await expect(question.getByRole('button', { name: /^Undo 3 changes/ })).toBeEnabled()
    await expect(question.getByRole('button', { name: /^Cancel/ })).toBeFocused()
    await page.keyboard.press('Control+Enter')
    await expect.poll(prices).toEqual(before)
  })
  close()
})
