import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { FirstRun } from '../pages/shell.ts'
import { seriousViolations } from '../support/axe.ts'
import { test } from '../support/harness.ts'
import { watchPointer } from '../support/keyboard.ts'

const passphrase = 'correct horse battery staple'
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const shots = process.env['KEYDESK_SHOTS']

/** Focuses an element and presses a key on it; Tab would reach it eventually. */
async function press(target: Locator, key = 'Enter'): Promise<void> {
  await target.focus()
  await target.press(key)
}
/** Presses G and a letter. */
async function go(page: Page, letter: string, title: string): Promise<void> {
  await page.keyboard.press('g')
  await page.keyboard.press(letter)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}
/** Serious accessibility violations of the current page, light or dark. */
async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}-${colorScheme}.png` })
    expect(
      await seriousViolations(page, colorScheme === 'dark' ? 'colours' : 'all'),
      `${name} ${colorScheme}`,
    ).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

test(
  'orders, accepts a new price, reads keys, claims one and gets a replacement, without a mouse',
  { tag: '@long' },
  async ({ harness, page, context }) => {
    test.setTimeout(300_000)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.clock.install()
    await page.goto(await harness.start())
    await new FirstRun(page).startSandbox()
    const pointed = await watchPointer(page)
    // The second demo account connects a moment after the first one's page appears.
    await expect(async () => {
      await page.keyboard.press('Control+2')
      await page.keyboard.press('g')
      await page.keyboard.press('c')
      await expect(page.getByRole('heading', { level: 1, name: 'Catalogue' })).toBeVisible({
        timeout: 1_000,
      })
    }).toPass({ timeout: 30_000 })
    await expect(page.getByText('2,000 products')).toBeVisible({ timeout: 60_000 })
    let value = ''

    await test.step('compose an order: one product, three units, a price limit that is too low', async () => {
      await press(page.getByRole('checkbox', { name: /^In stock/ }), 'Space')
      await press(page.getByRole('checkbox', { name: /^Key\b/ }), 'Space')
      const row = page
        .getByRole('grid', { name: 'Products' })
        .getByRole('row')
        .filter({ has: page.getByRole('gridcell', { name: /^\d\d$/ }) })
        .first()
      const name = (await row.locator('b').first().textContent()) ?? ''
      await go(page, 'o', 'Orders')
      await page.keyboard.press('n')
      await expect(page.getByRole('combobox', { name: 'Add a product' })).toBeFocused()
      await page.keyboard.type(name)
      await expect(page.getByRole('option', { name }).first()).toBeVisible()
      await page.keyboard.press('Enter')
      const most = page.getByRole('textbox', { name: /^Maximum price/ })
      await expect(most).not.toHaveValue('')
      for (let more = 1; more < 3; more += 1)
        await press(page.getByRole('button', { name: /^More: Units/ }))
      await most.focus()
      await page.keyboard.type('0.01')
      await look(page, 'composer')
      await page.keyboard.press('Control+Enter')
    })

    await test.step('price changed: one button raises the maximum, and a new press places the order once', async () => {
      await expect(page.getByText('the price went up')).toBeVisible()
      await expect(page.getByText('Nothing was charged.')).toBeVisible()
      const accept = page.getByRole('button', { name: /^Raise the maximum to .* each$/ })
      await look(page, 'refused')
      await press(accept)
      await expect(page.getByText('Completed', { exact: true })).toBeHidden()
      await page.keyboard.press('Control+Enter')
      await expect(page.getByText('Completed', { exact: true })).toBeVisible({ timeout: 20_000 })
    })

    await test.step('the first download asks first, because it is the proof of delivery', async () => {
      await page.keyboard.press('d')
      await page.getByRole('dialog').getByLabel('Passphrase', { exact: true }).focus()
      await page.keyboard.type(passphrase)
      await page.getByRole('dialog').getByLabel('Repeat passphrase').focus()
      await page.keyboard.type(passphrase)
      await page.keyboard.press('Enter')
      await expect(
        page.getByText('The service records it as proof of delivery, which can’t be undone.'),
      ).toBeVisible()
      await look(page, 'proof')
      await page.keyboard.press('Control+Enter')
      await expect(page.getByRole('button', { name: /^Reveal key/ })).toHaveCount(3)
      await expect(page.getByText(/^First download recorded on/)).toBeVisible()
      await expect(page.getByText('How to redeem', { exact: true })).toBeVisible()
    })

    await test.step('reveal and copy a key; it leaves the clipboard after 30 seconds', async () => {
      const first = page
        .getByRole('row')
        .filter({ has: page.getByRole('button', { name: /key 1 of line 1$/ }) })
      await press(page.getByRole('button', { name: 'Reveal key 1 of line 1' }))
      await expect(page.getByRole('button', { name: 'Hide key 1 of line 1' })).toBeVisible()
      value = (await first.getByRole('cell').first().textContent()) ?? ''
      expect(value).not.toContain('•')
      await press(page.getByRole('button', { name: 'Copy key 1 of line 1', exact: true }))
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(value)
      await look(page, 'order')
      await page.clock.fastForward(31_000)
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('')
      await expect(page.getByRole('button', { name: 'Reveal key 1 of line 1' })).toBeVisible()
    })

    await test.step('claim the key with a screenshot; the claim is filed', async () => {
      await press(page.getByRole('button', { name: 'Claim key 1 of line 1…' }))
      await expect(page.getByRole('textbox', { name: 'What happened' })).toBeFocused()
      await page.keyboard.press('End')
      await page.keyboard.type('“already used”')
      await page
        .getByLabel('Screenshot of the activation error')
        .setInputFiles({ name: 'error.png', mimeType: 'image/png', buffer: picture })
      await expect(
        page.getByRole('img', { name: 'Screenshot of the activation error' }),
      ).toBeVisible()
      await page.keyboard.press('Control+Enter')
      await expect(
        page.getByRole('complementary').getByText('Claim filed', { exact: true }),
      ).toBeVisible()
      await look(page, 'claim')
    })

    await test.step('the supplier sends another key, which is marked as new', async () => {
      await press(page.getByRole('button', { name: 'Send a new key' }))
      await expect(page.getByRole('button', { name: 'Open the new key' })).toBeVisible({
        timeout: 20_000,
      })
      await press(page.getByRole('button', { name: 'Open the new key' }))
      await expect(page.getByText('New, replaces a claimed key')).toBeVisible()
      await press(page.getByRole('button', { name: 'Reveal key 4 of line 1' }))
      await expect(page.getByText('Replacement', { exact: true })).toBeVisible()
      await look(page, 'replaced')
    })

    await test.step('find the old key by pasting it; spending and webhooks open with a shortcut', async () => {
      await go(page, 'k', 'Keys')
      await page.getByLabel('Search order or product, or paste a key').focus()
      await page.keyboard.type(value)
      await expect(page.getByRole('grid', { name: 'Keys' }).getByText('Replaced')).toBeVisible()
      await look(page, 'keys')
      await page.getByRole('grid', { name: 'Keys' }).focus()
      await go(page, 'b', 'Balance')
      await expect(page.getByRole('figure', { name: 'Spending by day' })).toBeVisible()
      await expect(page.getByText('Movements')).toBeVisible()
      await look(page, 'balance')
      await go(page, 'w', 'Webhook inspector')
      await press(page.getByRole('button', { name: 'Listen on this computer' }))
      await expect(page.getByText('Listening at')).toBeVisible()
      await page.keyboard.press('t')
      await expect(page.getByText('Genuine, recent and new')).toBeVisible({ timeout: 20_000 })
      await look(page, 'bench')
      const received = page.getByRole('region', { name: 'Received' }).getByRole('button')
      const open = received.and(page.locator('[aria-current]'))
      const id = (await open.getAttribute('id')) ?? ''
      const count = await received.count()
      await page.keyboard.press('t')
      await expect(received).toHaveCount(count + 1)
      await expect(open, 'a new event doesn’t replace the open one').toHaveAttribute('id', id)
      await go(page, 'l', 'Claims')
      await expect(page.getByRole('grid', { name: 'Claims' }).getByText('Replaced')).toBeVisible()
    })
    expect(pointed, 'no mouse was used').toEqual([])
  },
)
