import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { FirstRun, Shell } from './pages/shell.ts'
import { test } from './support/harness.ts'
import { connectionTo } from './support/core-connection.ts'

const groups = async (page: Page): Promise<string[]> =>
  page
    .getByRole('listbox', { name: 'Results' })
    .getByRole('group')
    .evaluateAll((all) =>
      all.map(
        (group) =>
          document.getElementById(group.getAttribute('aria-labelledby') ?? '')?.textContent ?? '',
      ),
    )
const inGroup = (page: Page, name: string): Locator =>
  page.getByRole('group', { name, exact: true }).getByRole('option')

/**
 * Moves down until a row is selected. The list can change during a sync, so a press is repeated, as
 * a person would.
 */
async function goTo(page: Page, row: Locator): Promise<void> {
  await expect(async () => {
    if ((await row.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
    await expect(row).toHaveAttribute('aria-selected', 'true', { timeout: 100 })
  }).toPass({ intervals: [10] })
}

/** Types into the palette and waits until the results belong to that text. */
async function search(page: Page, words: string, row: Locator): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^Search products/ }).fill(words)
  await expect(page.getByRole('listbox', { name: 'Results' })).toHaveAttribute('aria-busy', 'false')
  await expect(row.first()).toBeVisible()
}

test('finds an account’s records, runs actions from the list, and returns with a key press @long', async ({
  harness,
  page,
}) => {
  test.setTimeout(120_000)
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  await test.step('keeps the focus in a field when a page loads late', async () => {
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: /^Search products/ })
    await field.fill('Connect an')
    await expect(
      page
        .getByRole('grid', { name: 'Offers', includeHidden: true })
        .getByRole('row', { includeHidden: true })
        .nth(5),
    ).toBeVisible()
    await expect(field).toBeFocused()
    await page.keyboard.press('Escape')
  })
  const line = await connectionTo(page)
  const accounts = await line.rpc.accounts.list()
  const [sellerId, partnerId] = [
    accounts.find(({ role }) => role === 'seller')?.id ?? '',
    accounts.find(({ role }) => role === 'partner')?.id ?? '',
  ]
  const sold = async () =>
    (await line.rpc.sales.list({ accountId: sellerId, window: { limit: 500 } })).rows
  await expect.poll(async () => (await sold()).length, { timeout: 30_000 }).toBeGreaterThan(100)
  const offers = await line.rpc.offers.list({ accountId: sellerId, window: { limit: 100 } })
  const names = new Set((await sold()).map(({ name }) => name))
  const offer = offers.rows.find((row) => row.status === 'active' && names.has(row.name))
  if (offer === undefined) throw new Error('no active offer has a sale')

  await test.step('seller: products, offers, sales, actions and pages, always in this order', async () => {
    await search(page, offer.name, inGroup(page, 'Sales'))
    for (const group of ['Products', 'Your offers'])
      await expect(inGroup(page, group).first()).toBeVisible()
    expect((await groups(page)).filter((name) => name !== 'Disputes')).toEqual([
      'Your offers',
      'Products',
      'Sales',
      'Actions',
    ])
  })
  await test.step('Tab shows the actions of a row; run one from there and undo it', async () => {
    await goTo(page, inGroup(page, 'Your offers').first())
    await page.keyboard.press('Tab')
    await expect(page.getByRole('option')).toHaveText([
      /^Import keys for/,
      /^Pause/,
      /^Change the price of/,
      /^Sales of your offer/,
    ])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page.getByText(`${offer.name} paused`)).toBeVisible()
    await page.keyboard.press('Control+z')
    await expect
      .poll(
        async () =>
          (await line.rpc.offers.list({ accountId: sellerId, window: { limit: 100 } })).rows.find(
            ({ offerId }) => offerId === offer.offerId,
          )?.status,
      )
      .toBe('active')
  })
  await test.step('open a sale, then go back and forward with Alt and the arrows', async () => {
    const here = page.url()
    await search(page, offer.name, inGroup(page, 'Sales'))
    await goTo(page, inGroup(page, 'Sales').first())
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/#\/sales\/./)
    const there = page.url()
    await page.keyboard.press('Alt+ArrowLeft')
    await expect(page).toHaveURL(here)
    await page.keyboard.press('Alt+ArrowRight')
    await expect(page).toHaveURL(there)
  })
  await test.step('going back never leaves Keydesk', async () => {
    await page.evaluate(() => {
      addEventListener('pagehide', () => localStorage.setItem('left', 'yes'))
    })
    for (let times = 0; times < 30; times++) await page.keyboard.press('Alt+ArrowLeft')
    await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('left'))).toBeNull()
  })
  await test.step('partner: find an order by reference, add a product to an order; > shows only actions', async () => {
    await new Shell(page).switchTo('Demo partner')
    await expect
      .poll(async () => (await line.rpc.orders.list({ accountId: partnerId })).total, {
        timeout: 30_000,
      })
      .toBeGreaterThan(5)
    const reference =
      (await line.rpc.orders.list({ accountId: partnerId })).rows[0]?.externalId ?? ''
    await search(page, reference, inGroup(page, 'Orders'))
    await page.keyboard.press('Escape')
    await search(page, offer.name, inGroup(page, 'Products'))
    await expect(inGroup(page, 'Products').first()).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('option')).toHaveText([/^Order /])
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/#\/orders\/new/)
    await search(page, '>sandbox claims', inGroup(page, 'Actions'))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('grid', { name: 'Claims of the sandbox' })).toBeVisible()
  })
  line.close()
})

test('keys that follow Ctrl+K reach the palette, not the field behind it @long', async ({
  harness,
  page,
}) => {
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  await new Shell(page).open('Offers')
  await page.getByRole('grid', { name: 'Offers' }).getByRole('row').nth(1).click()
  const field = page.getByRole('complementary').getByLabel('Low stock at or below')
  await field.focus()
  // The palette has the focus only after the next frame.
  const reached = await field.evaluate(async (input) => {
    const press = (key: string, ctrlKey = false): boolean =>
      input.dispatchEvent(
        new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }),
      )
    const before = press('9')
    press('k', true)
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
    return { before, digit: press('9'), enter: press('Enter'), isFocused: input.matches(':focus') }
  })
  expect(reached).toEqual({ before: true, digit: false, enter: false, isFocused: true })
  const palette = page.getByRole('combobox', { name: /^Search products/ })
  await expect(palette).toBeFocused()
  await page.keyboard.press('x')
  await expect(palette).toHaveValue('9x')
  await page.keyboard.press('Escape')
  await expect(field).toBeFocused()
})
