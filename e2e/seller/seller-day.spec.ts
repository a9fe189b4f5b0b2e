import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { ImportPage, OffersPage } from '../pages/seller.ts'
import { PriceWatchPage } from '../pages/price-watch.ts'
import { test } from '../support/harness.ts'
import { go, press, reach, watchPointer } from '../support/keyboard.ts'
import { vaultPassphrase } from '../support/vault-passphrase.ts'

const keys = Array.from(
  { length: 40 },
  (_, index) => `DAY0${String.fromCharCode(65 + (index % 26))}-${String(10_000 + index)}-SELLR`,
)

test(
  'works a seller’s day without a mouse: prices, keys, proposals, sales, backup and vault',
  { tag: '@long' },
  async ({ harness, page, context }) => {
    test.setTimeout(360_000)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const offers = new OffersPage(page)
    const imports = new ImportPage(page)
    const watch = new PriceWatchPage(page)
    const dialog = page.getByRole('dialog')
    await page.goto(await harness.start())
    const pointed = await watchPointer(page)
    await expect(page.getByRole('button', { name: 'Start the sandbox' })).toBeEnabled()
    await press(page, page.getByRole('button', { name: 'Start the sandbox' }))
    await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible({
      timeout: 60_000,
    })
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await expect(offers.table).toHaveAttribute('aria-busy', 'false', { timeout: 60_000 })
    let name = ''
    const ours = () =>
      offers.table
        .getByRole('row')
        .filter({ has: page.locator('b').getByText(name, { exact: true }) })
        .first()
    const field = () => page.getByRole('textbox', { name: `Price of ${name}, EUR` })

    await test.step('type a price into its cell in the view Not cheapest; an invalid one keeps the focus', async () => {
      await press(page, page.getByRole('button', { name: /^Not cheapest/ }))
      await expect(offers.table).toHaveAttribute('aria-busy', 'false')
      name = (await offers.table.getByRole('row').nth(1).locator('b').first().textContent()) ?? ''
      await page.keyboard.press('/')
      await page.keyboard.type(name)
      await expect(offers.table.getByRole('row').nth(1).locator('b').first()).toHaveText(name)
      await expect(offers.table).toHaveAttribute('aria-busy', 'false')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('0')
      await expect(field()).toBeFocused()
      await page.keyboard.type('.505')
      await page.keyboard.press('Tab')
      await expect(field(), 'an invalid price keeps the focus').toBeFocused()
      await expect(ours().getByText('At most two decimals')).toBeVisible()
      await page.keyboard.press('Backspace')
      await expect(
        ours().getByText('0.55').or(ours().getByText('0.58')).or(ours().getByText('0.60')),
      ).toBeVisible()
      await page.keyboard.press('Enter')
      const guard = page.getByRole('alert').filter({ hasText: 'Unusual price' })
      await expect(guard).toContainText('0.50')
      await page.keyboard.press('Enter')
      await expect(guard).toBeVisible()
      await page.keyboard.press('Control+Enter')
      const question = page.getByRole('dialog', { name: /^Change the price of .* to EUR 0.50\?$/ })
      await expect(question.getByRole('button', { name: /^Cancel/ })).toBeFocused()
      await page.keyboard.press('Control+Enter')
      await expect(page.getByText(/No keys moved/).first()).toBeVisible()
    })

    await test.step('it leads now and has left the view; a key press pauses it, Ctrl+Z undoes that', async () => {
      await press(
        page,
        page.getByRole('group', { name: 'Views' }).getByRole('button', { name: /^All/ }),
      )
      await expect(ours().getByRole('gridcell', { name: '0.50', exact: true })).toBeVisible()
      await page.keyboard.press('/')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('u')
      await expect(ours().getByText('Paused')).toBeVisible()
      await page.keyboard.press('Control+z')
      await expect(ours().getByText('Paused')).toBeHidden()
    })

    await test.step('change its price with the palette from another page', async () => {
      await go(page, 'a', 'Activity')
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('combobox', { name: /^Search products/ })).toBeFocused()
      await page.keyboard.type(name)
      await expect(page.getByRole('option', { name: `Change the price of ${name}…` })).toBeVisible()
      await expect(async () => {
        if (
          (await page
            .getByRole('option', { selected: true })
            .textContent()
            .then((text) => text?.startsWith('Change the price'))) !== true
        )
          await page.keyboard.press('ArrowDown')
        await expect(page.getByRole('option', { selected: true })).toContainText(
          'Change the price',
          {
            timeout: 100,
          },
        )
      }).toPass({ intervals: [10] })
      await page.keyboard.press('Enter')
      await expect(dialog.getByRole('textbox', { name: 'You receive' })).toBeFocused()
      await page.keyboard.type('0.60')
      await page.keyboard.press('Enter')
      await expect(page.getByText(`${name}: 0.50 to 0.60`)).toBeVisible()
    })

    await test.step('paste, check and upload keys', async () => {
      await go(page, 'o', 'Offers')
      await page.keyboard.press('/')
      await page.keyboard.type(name)
      await expect(offers.table).toHaveAttribute('aria-busy', 'false')
      await expect(offers.table.getByRole('row').nth(1).locator('b').first()).toHaveText(name)
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await press(
        page,
        page.getByRole('complementary').getByRole('button', { name: 'Import keys' }),
      )
      await expect(page.getByText(/^All lines go to/)).toBeVisible()
      await page.evaluate(
        (text) => navigator.clipboard.writeText(text),
        [...keys, keys[0] ?? '', ''].join('\n'),
      )
      await page.keyboard.press('Control+v')
      await expect(dialog.getByLabel('Passphrase', { exact: true })).toBeFocused()
      await page.keyboard.type(vaultPassphrase)
      await reach(page, dialog.getByLabel('Repeat passphrase'))
      await page.keyboard.type(vaultPassphrase)
      await page.keyboard.press('Enter')
      await imports.isChecked(keys.length + 1)
      expect(await imports.sum('Ready to upload')).toBe(keys.length)
      await page.keyboard.press('Control+Enter')
      await imports.isReported()
      await expect(page.getByText(`${keys.length} keys uploaded.`)).toBeVisible()
    })

    await test.step('a rule makes proposals; review one and apply it with a key press', async () => {
      await go(page, 'p', 'Price watch')
      await press(
        page,
        page.getByRole('group', { name: 'Price watch' }).getByRole('button', { name: /^Rules/ }),
      )
      await expect(page.getByRole('heading', { name: 'No rules yet' })).toBeVisible()
      await page.keyboard.press('n')
      const floor = page.getByRole('combobox', { name: 'Never below', exact: true })
      await reach(page, floor)
      await page.keyboard.type('what you')
      await expect(floor).toHaveValue('receive')
      await reach(page, page.getByRole('textbox', { name: 'Never below: amount' }))
      await page.keyboard.type('0.50')
      await page.keyboard.press('Control+s')
      await press(page, page.getByRole('switch', { name: 'The rule proposes' }), 'Space')
      await expect(page.getByText('You decide each price')).toBeVisible()
      await press(
        page,
        page.getByRole('group', { name: 'Price watch' }).getByRole('button', { name: /^Market/ }),
      )
      await expect.poll(() => watch.count('Proposals'), { timeout: 60_000 }).toBeGreaterThan(0)
      await press(
        page,
        page
          .getByRole('group', { name: 'Market' })
          .last()
          .getByRole('button', { name: /^Proposals/ }),
      )
      await expect(watch.market).toHaveAttribute('aria-busy', 'false')
      await reach(page, watch.market)
      await page.keyboard.press('Home')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('complementary').getByText(/^Why /).first()).toBeVisible()
      await page.keyboard.press('a')
      await expect(page.getByText(/Checked again, then sent/)).toBeVisible({ timeout: 30_000 })
    })

    await test.step('count and copy sales', async () => {
      await go(page, 'e', 'Sales and balance')
      await expect(page.getByRole('grid', { name: 'Sales' })).toHaveAttribute('aria-busy', 'false')
      await press(
        page,
        page.getByRole('group', { name: 'Views' }).getByRole('button', { name: /^Released/ }),
      )
      await expect(page.getByRole('grid', { name: 'Sales' })).toHaveAttribute('aria-busy', 'false')
      await press(page, page.getByRole('button', { name: 'Copy the list' }))
      await expect(page.getByRole('menuitem', { name: 'Copy as text' })).toBeVisible()
      await reachItem('Copy as CSV')
      await page.keyboard.press('Enter')
      await expect(page.getByText('Copied as CSV')).toBeVisible()
      const lines = (await page.evaluate(() => navigator.clipboard.readText())).trim().split('\r\n')
      expect(lines[0]).toMatch(/^Sold \(UTC\),Product,/)
      expect(lines.slice(1).length).toBeGreaterThan(0)
      expect(lines.slice(1).filter((line) => !line.includes(',released,'))).toEqual([])
    })

    await test.step('turn off single-letter shortcuts; those with Ctrl still work', async () => {
      await go(page, 's', 'Settings')
      const letters = page.getByRole('switch', { name: 'Single-letter shortcuts' })
      await press(page, letters, 'Space')
      await expect(letters).not.toBeChecked()
      await page.keyboard.press('g')
      await page.keyboard.press('o')
      await page.keyboard.press('?')
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('combobox', { name: /^Search products/ })).toBeFocused()
      await expect(dialog).toHaveCount(1)
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
      await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
      await press(page, letters, 'Space')
      await expect(letters).toBeChecked()
    })

    await test.step('back up everything and lock the vault', async () => {
      await go(page, 's', 'Settings')
      await press(page, page.getByRole('button', { name: 'Back up…' }))
      await reach(page, dialog.getByLabel('Passphrase of the backup'))
      await page.keyboard.type('a day of a seller')
      await reach(page, dialog.getByLabel('Repeat passphrase'))
      await page.keyboard.type('a day of a seller')
      const download = page.waitForEvent('download')
      await page.keyboard.press('Enter')
      await expect(page.getByLabel('Passphrase of the vault')).toBeFocused()
      await page.keyboard.type(vaultPassphrase)
      await page.keyboard.press('Enter')
      const file = readFileSync(await (await download).path())
      expect(file.subarray(0, 40).toString()).toContain('"format":"keydesk-backup"')
      expect(keys.some((key) => file.includes(key))).toBe(false)
      await expect(dialog).toBeHidden()
      await page.keyboard.press('Control+Shift+L')
      await expect(page.getByText('Vault locked')).toBeVisible()
    })

    expect(pointed, 'no mouse was used').toEqual([])

    async function reachItem(item: string): Promise<void> {
      const wanted = page.getByRole('menuitem', { name: item })
      for (let presses = 0; presses < 10; presses++) {
        if (await wanted.evaluate((element) => element === document.activeElement)) return
        await page.keyboard.press('ArrowDown')
      }
      throw new Error(`The arrow keys do not reach ${item}`)
    }
  },
)
