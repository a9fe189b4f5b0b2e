import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { DisputesPage } from '../pages/disputes.ts'
import { PriceWatchPage } from '../pages/price-watch.ts'
import { FirstRun } from '../pages/shell.ts'
import { connectionTo } from '../support/core-connection.ts'
import { claimAll } from '../support/disputes.ts'
import { type Harness, test } from '../support/harness.ts'
import { Shop } from '../support/shop.ts'

/**
 * Presses keys faster than any person: nothing that is queued, such as a response, is handled
 * between them.
 */
const pressTogether = (page: Page, ...keys: string[]): Promise<void> =>
  page.evaluate(async (pressed) => {
    for (const key of pressed) {
      const isCtrl = key.startsWith('Control+')
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', {
          key: key.replace('Control+', ''),
          ctrlKey: isCtrl,
          bubbles: true,
          cancelable: true,
        }),
      )
      // React renders in a microtask after an event.
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
    }
  }, keys)

test('a key pressed before the last one has finished waits for its dispute or selection @long', async ({
  harness,
  page,
}) => {
  const shop = await Shop.open(harness)
  const { service, key } = shop
  const ids = await claimAll(service, key, 3)
  await shop.connect(harness, page)
  const disputes = new DisputesPage(page)
  const dialog = page.getByRole('dialog')
  await disputes.goThere()
  await disputes.findAndUnlock('Ironwharf 3', 3)
  await page.keyboard.press('Escape')
  await expect(page.getByText('Choose a dispute')).toBeVisible()

  await test.step('1 after J fills in the template of the dispute that J opens', async () => {
    await pressTogether(page, 'j', '1')
    await expect(disputes.answer).not.toHaveValue('')
    expect([...ids]).toContain(disputes.openId)
    await disputes.answer.fill('')
    await page.keyboard.press('Escape')
  })
  await test.step('R after Ctrl+A answers the selected disputes, not only the open one', async () => {
    await pressTogether(page, 'Control+a', 'r')
    await expect(dialog.getByText('Answer 3 disputes')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })
  await test.step('R after Ctrl+A re-prices all offers', async () => {
    await disputes.open('Offers')
    const grid = page.getByRole('grid', { name: 'Offers' })
    const count = Number(await grid.getAttribute('aria-rowcount')) - 1
    await grid.focus()
    await pressTogether(page, 'Control+a', 'r')
    await expect(page.getByRole('dialog', { name: `Re-price ${count} offers` })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })
  await test.step('H after Ctrl+A holds all rows of the price watch, not only the current one', async () => {
    await disputes.open('Price watch')
    const grid = page.getByRole('grid', { name: 'Market' })
    await expect(grid.getByRole('row').nth(2)).toBeVisible()
    const count = Number(await grid.getAttribute('aria-rowcount')) - 1
    await grid.focus()
    await pressTogether(page, 'Control+a', 'h')
    await expect(page.getByText(`${count} offers: held for 4 hours`)).toBeVisible()
  })
  await test.step('J after G D opens the first dispute of a page that was not open before', async () => {
    await page.goto(page.url().replace(/#.*/, '#/today'))
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
    // The code of the pages is loaded while the window is idle, the sandbox's last.
    const loadsSandbox = (): boolean =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('sandbox-page'))
    await expect.poll(() => page.evaluate(loadsSandbox)).toBe(true)
    await pressTogether(page, 'g', 'd', 'j')
    await expect.poll(() => disputes.openId).not.toBeNull()
  })
  await service.stop()
})

/** Opens the offers of a new sandbox. */
async function openOffers(harness: Harness, page: Page): Promise<Locator> {
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  await page.getByRole('link', { name: /^Offers/ }).click()
  const offers = page.getByRole('grid', { name: 'Offers' })
  await expect(offers.getByRole('row').nth(2)).toBeVisible()
  return offers
}

/** Types a text into a field and presses a key before a later render is handled. */
const typeAndPress = (field: Locator, text: string, key: string, ctrlKey = false): Promise<void> =>
  field.evaluate(
    async (input: HTMLInputElement, typed) => {
      const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {}
      input.focus()
      set?.call(input, typed.text)
      input.dispatchEvent(new InputEvent('input', { bubbles: true }))
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
      const { key: name, ctrlKey: isCtrl } = typed
      input.dispatchEvent(
        new KeyboardEvent('keydown', {
          key: name,
          ctrlKey: isCtrl,
          bubbles: true,
          cancelable: true,
        }),
      )
    },
    { text, key, ctrlKey },
  )

test('a key pressed right after typing acts on the typed text, or not at all @long', async ({
  harness,
  page,
}) => {
  await openOffers(harness, page)
  await test.step('Enter in the palette opens no result of the text before', async () => {
    const field = page.getByRole('combobox', { name: /^Search products/ })
    const search = async (text: string): Promise<void> => {
      await page.keyboard.press('Control+k')
      await field.fill(text)
      await expect(page.getByRole('option').nth(2)).toBeVisible()
    }
    await search('>Sandbox')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/#\/sandbox/)
    const first = page.url()
    await page.keyboard.press('Alt+ArrowLeft')
    await expect(page).toHaveURL(/#\/offers/)
    await search('>Sandbo')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await typeAndPress(field, '>Sandbox', 'Enter')
    await expect(page).toHaveURL(/#\/sandbox/)
    expect(page.url()).toBe(first)
  })
  await test.step('Ctrl+S saves no rule whose field shows something else', async () => {
    const watch = new PriceWatchPage(page)
    await watch.open('Price watch')
    await watch.view('Rules')
    await watch.newRule('0.50')
    const floor = page.getByRole('textbox', { name: 'Never below: amount' })
    const saved = page.getByText('Unsaved changes')
    await floor.fill('7')
    await expect(saved).toBeVisible()
    await typeAndPress(floor, '7,o', 's', true)
    await expect(page.getByText('Rule not saved')).toBeVisible()
    await expect(floor).toHaveValue('7,o')
    await expect(saved).toBeVisible()
    await floor.fill('7')
    await page.keyboard.press('Control+s')
    await expect(saved).toBeHidden()
  })
})

test('a page that is left handles no keys while the code of the next one loads @long', async ({
  harness,
  page,
}) => {
  let load = (): void => {}
  const held = new Promise<void>((resolve) => {
    load = resolve
  })
  await page.route('**/sales-page-*.js', async (route) => {
    await held
    await route.continue()
  })
  const offers = await openOffers(harness, page)
  const { rpc, close } = await connectionTo(page)
  const accountId = (await rpc.accounts.list())[0]?.id ?? ''
  const statuses = async () =>
    (await rpc.offers.list({ accountId })).rows.map(({ pending, status }) => pending ?? status)
  const before = await statuses()
  await offers.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(
    page.getByRole('complementary').getByRole('button', { name: /^Pause/ }),
  ).toBeVisible()
  await pressTogether(page, 'g', 'e')
  await expect(page.getByText('Opening the page')).toBeVisible()
  // Not even hidden.
  expect(await page.locator('[data-record]').count()).toBe(0)
  await page.keyboard.press('u')
  // Longer than the change needs to be sent.
  await page.waitForTimeout(1000)
  expect(await statuses()).toEqual(before)
  load()
  await expect(page.getByRole('heading', { level: 1, name: 'Sales' })).toBeVisible()
  close()
})

test('nothing that is pressed while the connection is lost acts when it is back @long', async ({
  harness,
  page,
}) => {
  let isCut = false
  let cut = async (): Promise<void> => {}
  await page.route('**/session/check', (route) => (isCut ? route.abort() : route.continue()))
  await page.routeWebSocket('**/rpc', (line) => {
    line.connectToServer()
    cut = () => line.close()
  })
  const offers = await openOffers(harness, page)
  const panel = page.getByRole('complementary')
  const pause = panel.getByRole('button', { name: /^Pause/ })
  await offers.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(pause).toBeVisible()
  const where = await pause.boundingBox()

  await test.step('a shortcut, a click and a button with the focus', async () => {
    await pause.focus()
    isCut = true
    await cut()
    await page.locator('dialog[open]').waitFor({ state: 'attached' })
    await page.keyboard.press('u')
    await page.mouse.click((where?.x ?? 0) + 10, (where?.y ?? 0) + 10)
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await page.keyboard.press('Enter')
    await page.keyboard.press('u')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.mouse.click((where?.x ?? 0) + 10, (where?.y ?? 0) + 10)
    await expect(page.getByRole('alertdialog')).toBeVisible()
  })
  await test.step('the focus is back, and the offer is still active', async () => {
    isCut = false
    await expect(page.getByRole('alertdialog')).toBeHidden()
    await expect(pause).toBeFocused()
    // Longer than the change needs to be sent.
    await page.waitForTimeout(1500)
    await expect(pause).toBeVisible()
  })
  await test.step('then keys act again', async () => {
    await page.keyboard.press('u')
    await expect(panel.getByRole('button', { name: /^Activate/ })).toBeVisible()
  })
})

test('a key pressed before a dialog has the focus doesn’t edit the price behind it @long', async ({
  harness,
  page,
}) => {
  const offers = await openOffers(harness, page)
  const prices = offers.getByRole('textbox').or(offers.getByRole('spinbutton'))
  await offers.focus()
  await page.keyboard.press('j')
  await pressTogether(page, '?', '5')
  await expect(page.getByRole('dialog')).toContainText('Everywhere')
  await expect(prices).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(prices).toHaveCount(0)
  await offers.focus()
  await page.keyboard.press('5')
  await expect(prices).toHaveCount(1)
})

test('a key pressed just after a dialog has closed acts on the row, unless it closed the dialog @long', async ({
  harness,
  page,
}) => {
  const offers = await openOffers(harness, page)
  const checked = offers.getByRole('checkbox', { name: /^Select row/, checked: true })
  const shortcuts = page.getByRole('dialog')
  await offers.focus()
  await page.keyboard.press('j')
  await page.keyboard.press('?')
  await expect(shortcuts).toContainText('Everywhere')
  await page.keyboard.press('Escape')
  await expect(offers).toBeFocused()
  await page.keyboard.press('x')
  await expect(checked).toHaveCount(1)
  // A held key repeats: the first Esc closes the dialog, the others must not clear the selection.
  await page.keyboard.press('?')
  await expect(shortcuts).toContainText('Everywhere')
  await page.keyboard.down('Escape')
  await expect(offers).toBeFocused()
  await page.keyboard.down('Escape')
  await page.keyboard.up('Escape')
  await expect(checked).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(checked).toHaveCount(0)
})
